"""The `geoscout` command: it has no logic of its own.

A module in `commands/` has the `COMMANDS` that go together. Only the module of the command asked
for is imported.
"""

import sys

if sys.platform == "win32":  # before anything is imported that is only elsewhere
    sys.stderr.write("geoscout: it needs Linux or macOS; on Windows run it in WSL\n")
    sys.exit(2)
