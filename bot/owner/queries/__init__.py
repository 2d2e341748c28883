"""What the owner can ask of the memory: queries give frozen values, and wording them is another step."""
