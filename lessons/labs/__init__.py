"""The laboratory: the papers' tables and figures, measured again by runs of the engine."""
