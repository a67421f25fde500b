"""Keeping the profile in use right: repair after a bump, another light, other profiles.

What is in use is replaced only when everything else has succeeded. Each step raises BadInputError when it
cannot be, CameraError where no pictures come; nothing has changed then.
"""

from collections.abc import Callable
from dataclasses import replace

from calibration.camera_movement import MovementKind
from calibration.lens import Lens
from calibration.profile import CalibrationProfile, KnownDice
from calibration.repair import Repaired, relearn_light, repair_profile
from messages.errors import BadInputError
from messages.message import Message
from station.camera.camera_access import EMPTY_FRAMES, CameraAccess, Image, size_of
from station.camera.held_settings import LIGHT, focus_of
from station.camera.profiles import Profiles

LOOSE_S = 120.0
"""Seconds after which the camera's automatics stop, should this end unexpectedly."""


class ProfileMaintenance:
    """Used by one thread at a time. use: reads with the profile in use from now on."""

    def __init__(self, camera: CameraAccess, profiles: Profiles, use: Callable[[], None]) -> None:
        self._camera, self._profiles, self._use = camera, profiles, use

    def known_dice(self) -> KnownDice | None:
        """The dice of the profile in use, if made with this camera: a moved tray has the same dice."""
        profile = self._profiles.current()
        return profile.dice if profile is not None and profile.camera == self._camera.name else None

    def known_lens(self) -> Lens | None:
        """The lens of the profile in use, if measured with this camera at this size."""
        profile, frame = self._profiles.current(), self._camera.source.frame()
        if profile is None or profile.lens is None or profile.lens.error_px <= 0 or frame is None:
            return None
        fits = profile.camera == self._camera.name and profile.lens.size_wh == size_of(frame.image)
        return profile.lens if fits else None

    def repair(self) -> Message:
        """Let the profile in use follow the camera to where it looks now, or use another that fits."""
        image = self._camera.pictures(1)[-1]
        try:
            fixed = self._followed(image)
        except BadInputError:
            key = self._profiles.recognized(image, self._camera.name)
            if key is None:
                raise
            return self.choose(key)
        if fixed.movement.kind is MovementKind.SAME:
            raise BadInputError("calibration/profile/unchanged")
        self._profiles.keep(fixed.profile, fixed.empty)
        self._use()
        return Message("calibration/profile/fits")

    def _followed(self, image: Image) -> Repaired:
        profile, empty = self._profiles.fitting(size_of(image), self._camera.name)
        if empty is None:
            raise BadInputError("calibration/profile/no_empty")
        return repair_profile(profile, empty, image)

    def relearn(self, *, surely_empty: bool) -> Message:
        """The empty tray of the profile in use, under the present light; all else stays as it was learnt.

        Locked exposure and white balance are adjusted again for it. A small bump is followed; after a
        larger one this is refused.
        """
        profile = self._profiles.current()
        if profile is None:
            raise BadInputError("calibration/find_tray_first")
        if self._camera.person is not None:
            self._camera.person.clear()
        try:
            self._learn_light(profile, surely_empty=surely_empty)
        except BaseException:
            if self._camera.settings is not None:
                self._camera.settings.hold_again()
            raise
        self._use()
        return Message("calibration/profile/relearnt")

    def _learn_light(self, profile: CalibrationProfile, *, surely_empty: bool) -> None:
        controls, settings = profile.controls, self._camera.settings
        if controls and settings is not None:
            # What suits the light of before makes another light dark, or burns it out
            self._camera.pictures(settings.choose_light("relearning", LOOSE_S))
            controls = (*focus_of(controls), *settings.hold(LIGHT).controls)
        left_in = (lambda _: ()) if surely_empty else self._camera.left_in
        frames = self._camera.pictures(EMPTY_FRAMES)
        fitted = profile.for_picture(size_of(frames[-1]), self._camera.name)
        found, empty = relearn_light(fitted, self._profiles.empty(), frames, left_in)
        self._profiles.keep(replace(found, controls=controls), empty)

    def fit(self, image: Image) -> str | None:
        """Use the profile whose tray the picture shows, where the one in use does not fit; its name."""
        key = None if self._profiles.fits(image) else self._profiles.recognized(image, self._camera.name)
        return None if key is None else self._take(key)

    def choose(self, key: str | None) -> Message:
        """Use another profile; by the picture when none is named."""
        if key is None:
            key = self._profiles.recognized(self._camera.pictures(1)[-1], self._camera.name)
        if key is None:
            raise BadInputError("calibration/profile/unmatched")
        return Message("calibration/profile/used", name=self._take(key))

    def _take(self, key: str) -> str:
        profile = self._profiles.use(key)
        self._use()
        return profile.name
