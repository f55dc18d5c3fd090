"""Why a certificate is not accepted."""


class RefusalError(Exception):
    """A certificate is refused; the message says why."""
