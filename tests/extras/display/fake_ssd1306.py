"""An SSD1306 on an I2C bus, by its data sheet (Solomon Systech, rev 1.1); luma.oled itself is the real one.

It takes the place of `smbus2.SMBus`. Nobody answers at any other address, what is no command of the chip is
an error, and what is shown is worked out from what came over the bus.
"""

import errno
from collections.abc import Iterator
from typing import Any

from PIL import Image

WIDTH, PAGES = 128, 8
ARGUMENTS = {
    0x20: 1,
    0x21: 2,
    0x22: 2,
    0x81: 1,
    0x8D: 1,
    0xA8: 1,
    0xD3: 1,
    0xD5: 1,
    0xD9: 1,
    0xDA: 1,
    0xDB: 1,
}
"""Commands that bring values, and how many."""
PLAIN = {0xA4, 0xA5, 0xA6, 0xA7, 0xA0, 0xA1, 0xC0, 0xC8, 0xAE, 0xAF, 0x2E, 0x2F, 0xE3, *range(0x40, 0x80)}


class Ssd1306Bus:
    """The bus with one chip. gone: nobody answers any more."""

    def __init__(self, address: int = 0x3C) -> None:
        self.address, self.gone, self.opened, self.writes = address, False, 0, 0
        self.memory = bytearray(WIDTH * PAGES)
        self.on = self.flipped = False
        self.columns, self.pages = (0, WIDTH - 1), (0, PAGES - 1)
        self.column = self.page = 0

    def open(self, port: int) -> "Ssd1306Bus":
        """As `smbus2.SMBus(port)`."""
        if port != 1:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{port}")
        self.opened += 1
        return self

    def close(self) -> None:
        self.opened -= 1

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        assert len(data) <= 32, "an SMBus block has 32 bytes"
        self._answers(address)
        self._took(register, bytes(data))

    def i2c_rdwr(self, message: Any) -> None:
        self._answers(message.addr)
        register, *data = bytes(message)
        self._took(register, bytes(data))

    def _answers(self, address: int) -> None:
        if self.gone or address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")

    def _took(self, register: int, data: bytes) -> None:
        self.writes += 1
        if register == 0x00:
            commands = iter(data)
            for command in commands:
                self._command(command, commands)
        else:
            assert register == 0x40, f"control byte {register:#x}"
            for byte in data:
                self.memory[self.page * WIDTH + self.column] = byte
                self._next()

    def _command(self, command: int, more: Iterator[int]) -> None:
        values = [next(more) for _ in range(ARGUMENTS.get(command, 0))]
        assert command in ARGUMENTS or command in PLAIN, f"{command:#x} is no command of an SSD1306"
        if command == 0x20:
            assert values == [0], "only horizontal addressing is used"
        elif command == 0x21:
            self.columns, self.column = (values[0], values[1]), values[0]
        elif command == 0x22:
            self.pages, self.page = (values[0], values[1]), values[0]
        elif command in {0xAE, 0xAF}:
            self.on = command == 0xAF
        elif command == 0xA8:
            assert values == [63], "it has 64 rows"
        elif command in {0xA0, 0xA1}:
            self.flipped = command == 0xA0

    def _next(self) -> None:
        self.column += 1
        if self.column > self.columns[1]:
            self.column, self.page = self.columns[0], self.page + 1
        if self.page > self.pages[1]:
            self.page = self.pages[0]

    def seen(self) -> Image.Image:
        """What a person sees."""
        image = Image.new("1", (WIDTH, PAGES * 8), 0)
        if self.on and not self.gone:
            for page in range(PAGES):
                for column in range(WIDTH):
                    for bit in range(8):
                        if self.memory[page * WIDTH + column] >> bit & 1:
                            image.putpixel((column, page * 8 + bit), 1)
        return image
