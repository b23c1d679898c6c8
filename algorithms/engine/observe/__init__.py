"""Folds over a trace: counters, monitors and verdicts. The engine's core imports nothing from here."""
