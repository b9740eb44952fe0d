"""geoscout with few files: `python -m tests.faults.few_files crawl …`."""

import resource
import sys

_FILES = 64

if __name__ == "__main__":
    from geoscout.cli.main import main

    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, _FILES))
    sys.exit(main())
