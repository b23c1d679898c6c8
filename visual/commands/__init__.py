"""One module for each subcommand of `mutoscope`; `visual.command_line` lists them."""
