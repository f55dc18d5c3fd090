"""What earlier checks found out, kept on disk. A fault here costs time, never an answer."""
