"""From a freshly written SD card to a station without a terminal.

`files` says what goes onto the card's boot partition, `writer` puts it there, `wheel` packs the program.
On the Pi, `first_start` runs at the first start, before anything is installed: it, `steps` and `page` need
nothing but Python's standard library and `messages`.
"""
