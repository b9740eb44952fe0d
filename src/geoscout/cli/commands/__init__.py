"""One module for each subcommand: its arguments, and the call they become."""
