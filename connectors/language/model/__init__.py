"""What `connectors/language/openai_model.py` is made of: the wire, what is read off it, and what it cost."""
