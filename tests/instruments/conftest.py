"""Real Blender projects, made once for all tests by Blender itself. Without Blender these tests are skipped."""

import os
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest

from rubric.primitives.faults import InstrumentFault
from rubric.primitives.instruments.blender import install

sys.path.insert(0, str(Path(__file__).parents[1] / "primitives"))

from media_files import write_film

MAKER = Path(__file__).with_name("make_projects.py")


@pytest.fixture(scope="session")
def program():
    """The interpreter of a Blender that is installed here."""
    try:
        return install.find().program
    except InstrumentFault as fault:
        pytest.skip(str(fault))


@pytest.fixture(scope="session")
def kit(program, tmp_path_factory):
    """A folder with `input/`, the originals, and `projects/`."""
    folder = tmp_path_factory.mktemp("kit")
    (folder / "projects").mkdir()
    write_originals(folder / "input")
    (folder / "projects" / "matte.png").write_bytes((folder / "input" / "overlay.png").read_bytes())
    done = subprocess.run(
        [program, "-I", "-B", str(MAKER), str(folder / "projects")],
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": str(folder)},
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return folder


@pytest.fixture(scope="session")
def folder_of_shared_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def shared_cache(program, folder_of_shared_cache, monkeypatch):
    """A cache folder that tests share, so that what one rendered another has at once."""
    monkeypatch.setenv(install.ENVIRONMENT_VARIABLE, program)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder_of_shared_cache))


@pytest.fixture
def own_cache(program, tmp_path, monkeypatch):
    """A cache folder of the test's own, with the same Blender."""
    monkeypatch.setenv(install.ENVIRONMENT_VARIABLE, program)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rubric" / "blender"


def write_originals(folder):
    """Two films with moving content, one of them with sound, and a picture with alpha."""
    folder.mkdir()
    seconds = np.arange(48000) / 48000
    tone = np.stack([0.3 * np.sin(2 * np.pi * 440 * seconds), 0.2 * np.sin(2 * np.pi * 330 * seconds)])
    write_film(folder / "a.mp4", [picture(number, 200) for number in range(25)], sound=(tone, 48000, "aac"))
    write_film(folder / "b.mp4", [picture(number, 60) for number in range(25)])
    overlay = av.VideoFrame.from_ndarray(np.full((54, 96, 4), (255, 255, 0, 128), np.uint8), format="rgba")
    with av.open(str(folder / "overlay.png"), "w", format="image2", options={"update": "1"}) as container:
        stream = container.add_stream("png")
        stream.width, stream.height, stream.pix_fmt = 96, 54, "rgba"
        container.mux(stream.encode(overlay))
        container.mux(stream.encode(None))


def picture(number, level):
    """Grey, with a bright bar that moves on by 3 pixels a frame."""
    pixels = np.full((54, 96, 3), level, np.uint8)
    pixels[:, 3 * number : 3 * number + 3] = 250
    return av.VideoFrame.from_ndarray(pixels, format="rgb24").reformat(format="yuv420p")
