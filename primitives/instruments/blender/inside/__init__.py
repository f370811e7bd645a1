"""What runs inside Blender, and imports nothing of this package but itself: `main` is where it starts."""
