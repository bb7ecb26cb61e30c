"""`python -m ndcg_lab` is `ndcg-lab`."""

import sys

from ndcg_lab.command.start import main

if __name__ == "__main__":
    sys.exit(main())
