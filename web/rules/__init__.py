"""Rule sets over HTTP, and the editor of house rules."""
