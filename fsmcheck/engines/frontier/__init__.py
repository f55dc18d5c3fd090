"""Search of whole layers at once, with NumPy: each configuration a number, a frontier a sorted array of them.

For systems whose configurations are too many to be searched one by one, and whose sets have no small decision diagrams.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _one_thread() -> Iterator[None]:
    """Have the library of linear algebra that comes with NumPy start no threads: nothing here needs it, and a process
    with threads cannot be forked."""
    name = "OPENBLAS_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


with _one_thread():
    import numpy as np  # noqa: F401
