"""What Tact is told: settings, the policy file, the roster file, and how it logs. Imports the engine only."""
