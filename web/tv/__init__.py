"""The big screen."""
