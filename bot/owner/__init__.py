"""The owner's side: commands, cards, proposals, and the views that answer them."""
