"""What each lesson asks and shows: its prediction, its panel, its exercises. The lessons' text is in `notebooks/`."""
