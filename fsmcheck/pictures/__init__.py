"""Pictures of machines and runs, as texts that other programs draw."""
