"""The console: one person plays everybody. It is the membership authority, so its evidence is exact."""
