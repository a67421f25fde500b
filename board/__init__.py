"""Many tables, one evening: pairings, results and standings, and how the tables are followed."""
