"""Programs that measure, in one run, against the tools that a reader would otherwise take."""
