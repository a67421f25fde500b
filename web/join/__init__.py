"""Coming to the table: seats, the host, who wants hints."""
