"""`python -m geoscout`, where the command `geoscout` is not on the path."""

import sys

from geoscout.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
