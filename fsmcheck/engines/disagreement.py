"""What must never happen."""


class DisagreementError(Exception):
    """Two independent engines gave different answers: a fault of the tool, so that nothing may be concluded."""
