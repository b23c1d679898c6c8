"""The scenario format, version 1: its tables, how they are read and checked, its shorthand, and how it is written."""
