"""Static checks and proofs for state machines that drive LLM agents."""
__version__ = "0.1.0"
