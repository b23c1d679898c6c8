"""Folds over a trace: counters, monitors and verdicts. The core of the engine imports nothing from here."""
