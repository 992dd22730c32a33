"""Systems against each other, and where scores differ."""
