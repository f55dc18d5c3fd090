"""Many specs at once: each document under each profile in a child process that can be killed, here or on a cluster."""
