"""``python -m fsmcheck``."""

from fsmcheck.cli.entry import run

if __name__ == "__main__":
    run()
