"""What is done with the memory beside the turns: annotation, edits, erasure, retention, imports."""
