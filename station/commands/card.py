"""`yacht card`: prepares an SD card, so that the Pi installs the station by itself."""

import re
import time
import zoneinfo
from pathlib import Path

import click

from messages.catalogue import languages
from messages.errors import BadInputError
from messages.message import Message
from station.card.files import Wishes
from station.commands.language import say


@click.command("card")
@click.option("--name", default="yacht", show_default=True, help="The Pi's name in the house: NAME.local.")
@click.option("--language", type=click.Choice(languages()), help="Of the Pi and of the station's pages.")
@click.option("--time-zone", default="", metavar="ZONE", help="As in Europe/Berlin.")
@click.option("--country", default="", metavar="XX", help="Where the Wi-Fi is: its two letters, as in DE.")
@click.argument("boot", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
def command(*, name: str, language: str | None, time_zone: str, country: str, boot: Path) -> None:
    """Put the station onto DIR, the boot partition of a card that Raspberry Pi Imager has just written.

    At its first start the Pi installs the station from there and shows at http://NAME.local how far it is.
    The Wi-Fi's name and password are not asked for here: Raspberry Pi Imager sets them. What is not named
    stays as Imager set it.
    """
    from station.card.wheel import packed
    from station.card.writer import write

    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", name):
        raise BadInputError("yacht/card/no_name", name=name)
    if time_zone and time_zone not in zoneinfo.available_timezones():
        raise BadInputError("yacht/card/no_zone", zone=time_zone)
    if country and not re.fullmatch("[A-Z]{2}", country):
        raise BadInputError("yacht/card/no_country", country=country)
    write(boot, Wishes(name, language or "", time_zone, country), packed(), time.time())
    say(Message("yacht/card/done", path=str(boot), name=name))
