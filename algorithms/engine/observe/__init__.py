"""What a run shows: counters, monitors, verdicts, the lines that ran. The engine's core imports nothing from here."""
