"""The `geoscout` command: one module for each subcommand, no logic of its own.

A module in `commands/` has `EXAMPLE`, `add_arguments(parser)` and `run(arguments, settings)`, and
is named in `main.COMMANDS`. Only the module of the command asked for is imported.
"""
