"""The reference reducer, traces, replay and the monitors over concrete traces."""
