"""What can happen next in a small system: every interleaving, or the choices that a person has."""
