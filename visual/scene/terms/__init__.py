"""The picture of a rewriting system: its term as cards, a lane for each node, and the rules step after step."""
