"""The papers' tables and figures, reproduced by runs of the engine: one lab = one file."""
