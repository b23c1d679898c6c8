"""The gallery of lessons, scenarios, algorithms, labs and a person's own files."""
