"""Past games: pages, statistics, charts, reviews and paper."""
