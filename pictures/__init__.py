"""Files of pictures: what their first bytes say, and the one function that decodes them."""
