"""Re-check certificates from their files alone.

To be read in one sitting: ``script`` says what a script may contain, ``manifest`` what is claimed of it, ``child``
is the process a solver runs in, ``verify`` puts them together. Nothing here is shared with the engines.
"""
