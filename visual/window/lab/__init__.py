"""Labs in the window: measured in the background and shown on a sheet."""
