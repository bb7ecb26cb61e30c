"""Tests that use the lessons as a reader does: in a browser, by mouse and by keyboard."""
