"""Election: one algorithm = one file."""
