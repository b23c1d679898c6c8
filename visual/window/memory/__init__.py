"""What a person's window remembers between two starts: settings, unsaved runs, progress in lessons."""
