"""What all labs share: their form, the execution and caching of runs, and reports."""
