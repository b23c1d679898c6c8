"""The checker of small systems, and the choices of a person as the scheduler."""
