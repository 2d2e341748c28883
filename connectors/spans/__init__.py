"""Local detectors of privacy spans: what opens something (PL4) and what harms if exposed (PL3)."""
