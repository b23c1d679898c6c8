"""The algorithms, the engine they run on, and the catalogue that finds them by name."""
