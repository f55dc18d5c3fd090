"""Search by decision diagrams: the configurations of each location as one diagram, with a level for each field."""
