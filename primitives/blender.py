"""Blender projects: what a project is, and what it renders. The project is opened in a process of its own, in a jail.

Conventions

* `blender` is a record of settings. `version` is the only Blender that will do. A project gets `minutes` and
  `memory_gb` for each of the calls here (30 and 12 unless said). Larger frames than `max_pixels` (2^24), longer
  timelines than `max_frames` (20,000) and timelines nested more than `nesting` deep (32) are refused before anything is
  rendered. With `require_sandbox` nothing runs where only limits are in force. `options` may write out
  `--factory-startup --disable-autoexec`, which always hold.
* A project sees itself, and the originals at `../input` from its folder, and nothing else. `originals` is their folder,
  or a map from their paths in it to their paths.
* What is wrong with a project is refused, which is a fault of the input that it came from: that it does not open,
  crashes, takes more than it may, or makes an answer that breaks its schema. Only a Blender that is missing or does
  not start is an `InstrumentFault`.
* Frames count from 0, the first of the active scene, which is the scene that the project was saved with.
* Pictures are those of the module `image`. What was rendered is kept, by the bytes of the project and the originals,
  under the user's cache folder; a second call takes no render.
* Renders write what the caller needs and not what the project says: where to, PNG or H.264, on the processor, without
  caches and files of their own. What decides the picture is the project's: size, aspect, rate, range, look, engine.

Differences from known tools

* `blender --background` renders frames by the project's own output settings; with those a project can write anywhere.
* A scene in another scene's timeline shows its keyed values as they were saved, not at each frame (Blender 5.0).
  `stills` and `render` agree with each other in this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._arguments import as_whole
from ._kinds import File
from .annotations import Count
from .instruments.blender.driver import Project, started
from .instruments.blender.jail import Protection, protection
from .instruments.blender.results import Bypass, Probe, Still
from .instruments.blender.settings import as_settings

__all__ = ["Instrument", "instrument", "mask_bypasses", "probe", "render", "stills", "works"]


@dataclass(frozen=True)
class Instrument:
    """The Blender that is used, and what keeps its projects from the machine.

    `sandbox` is `bubblewrap`, `namespaces` or `limits`; limits on memory, time, processes and files hold in each.
    """

    version: str
    build: str
    sandbox: str
    network_cut: bool
    processes_hidden: bool
    files_hidden: bool
    files_read_only: bool


def works(blender: Mapping[str, Any]) -> bool:
    """True: this version is here and runs a job in the jail. Otherwise an `InstrumentFault` says what is missing."""
    started(as_settings(blender))
    return True


def instrument(blender: Mapping[str, Any]) -> Instrument:
    """Which Blender this is, and what protection is in force, for the report. Faults as for `works`."""
    found = started(as_settings(blender))
    return _described(found.version, found.build, protection())


def _described(version: str, build: str, now: Protection) -> Instrument:
    return Instrument(
        version,
        build,
        now.sandbox,
        now.network_cut,
        now.processes_hidden,
        now.files_hidden,
        now.files_read_only,
    )


def probe(project: File, originals: Any, blender: Mapping[str, Any]) -> Probe:
    """What a project is, without rendering it: its active scene, all its strips, the files it reads, its Masks.

    Strips stand in the order of the walk from the active scene through META and SCENE strips; those of scenes that it
    does not show follow, and are not `reachable`. Refused: a project that does not open.
    """
    return Project.of(project, originals, as_settings(blender)).probe()


def stills(project: File, frames: Sequence[Count], originals: Any, blender: Mapping[str, Any]) -> list[Still]:
    """These frames as the project renders them, in the order given. Refused: a project that does not render."""
    wanted = [as_whole("frames", frame) for frame in frames]
    return [Still(*row) for row in Project.of(project, originals, as_settings(blender)).stills(wanted)]


def mask_bypasses(project: File, frames: Sequence[Count], originals: Any, blender: Mapping[str, Any]) -> list[Bypass]:
    """For every live use of a Mask each of these frames with the use and without it.

    A use is live where the active scene's render comes through it, whatever it is called. A MASK modifier is `muted`;
    another modifier that a Mask limits is `muted`, and `unmasked`; a compositor's Mask node and a MASK strip become
    `constant 0` and `constant 1`. MASK modifiers that strips of one film carry themselves are also muted together. A
    row a bypass and frame; `use` tells bypasses apart, in the order of the walk.
    """
    wanted = [as_whole("frames", frame) for frame in frames]
    return [Bypass(**row) for row in Project.of(project, originals, as_settings(blender)).bypasses(wanted)]


def render(project: File, originals: Any, blender: Mapping[str, Any]) -> File:
    """The project's whole timeline, rendered anew: the path of a film, H.264 and stereo AAC at 48 kHz in MP4.

    Refused: a project that does not render to its end.
    """
    return Project.of(project, originals, as_settings(blender)).render()
