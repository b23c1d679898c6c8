"""Pure functions from a run's state to shapes. Nothing here moves, remembers or draws: state in, shapes out."""
