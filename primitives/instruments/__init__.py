"""Programs that primitives drive and do not trust: each in a process of its own, its answers checked before use."""
