"""Production runs against their spec: event logs, the runs in them, where these depart and what they break."""
