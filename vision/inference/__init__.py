"""What the networks say: where dice may be, what a patch shows, where its foot stands, hands, colours."""
