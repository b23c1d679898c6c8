"""The scenario format, version 1: its keys and bounds, its reader with all checks, its shorthand, and its writer."""
