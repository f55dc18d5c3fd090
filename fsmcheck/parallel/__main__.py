"""``python -m fsmcheck.parallel``: the process of ``host``, for other processes of ours."""

from fsmcheck.parallel.host import main

main()
