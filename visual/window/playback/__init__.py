"""Playing, stepping and seeking, and the transport bar."""
