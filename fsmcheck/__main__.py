"""``python -m fsmcheck``."""

from fsmcheck.cli.main import run

if __name__ == "__main__":
    run()
