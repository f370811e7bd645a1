"""Blender as an instrument: a project is opened, walked, changed and rendered in a process of its own, in a jail."""
