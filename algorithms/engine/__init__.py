"""The shared stepping engine. Standard library only, and it also runs in a browser's Python."""
