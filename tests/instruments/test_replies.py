"""Answers that nobody trusts: every text is either refused as the project's fault, or is what its schema says."""

import copy
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives.faults import ArgumentFault
from rubric.primitives.instruments.blender.replies import MAX_REPLY_BYTES, checked
from rubric.primitives.instruments.blender.results import Probe, probe_of

FILE = {"file": "a.mp4", "inside": "originals", "exists": True}
STRIP = {
    "number": 0, "parent": None, "scene": "Scene", "name": "film", "kind": "MOVIE", "channel": 1, "file": "a.mp4",
    "inside": "originals", "start": 0, "length": 10, "source_start": 0.5, "source_length": 25, "muted": False,
    "reachable": True, "used": True, "retimed": False, "proxy": False, "inputs": [],
}  # fmt: skip
SCENE = {
    "name": "Scene", "width": 96, "height": 54, "resolution_percentage": 100, "fps": 25.0, "first_frame": 1,
    "frames": 10, "frame_step": 1, "time_stretch": 1.0, "pixel_aspect_x": 1.0, "pixel_aspect_y": 1.0,
    "bordered": False, "multiview": False, "engine": "CYCLES", "shows": "timeline",
}  # fmt: skip
ANSWER = {
    "probe": {
        "scene": SCENE,
        "scripts_refused": False,
        "strips": [STRIP, {**STRIP, "number": 1, "parent": 0, "inputs": [0, None]}],
        "masks": [{"number": 0, "kind": "modifier", "mask": "Mask", "owner": "film", "live": True}],
        "pictures": [{**FILE, "kind": "strip", "packed": False, "altered": False, "linked": False}],
        "files": [FILE],
        "libraries": [],
    }
}
ROW = {"use": "u", "kind": "node", "way": "muted", "together": 1, "masks": [], "frame": 1}


@pytest.fixture(scope="module")
def reply(tmp_path_factory):
    return tmp_path_factory.mktemp("reply") / "reply.json"


def read(path, text, command="probe"):
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return checked(path, command)


def test_an_answer_becomes_a_record(reply):
    probe = probe_of(read(reply, json.dumps(ANSWER)))
    assert isinstance(probe, Probe)
    assert probe.active_scene.width == 96
    assert probe.strips[1].inputs == [0, None]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "0",
        '{"probe": null}',
        '{"probe": {}}',
        "NaN",
        "1e999",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 100_000,
        b"\xff\xfe",
        b"\x00",
        json.dumps(ANSWER)[:-1],
        json.dumps(ANSWER) + "x",
        json.dumps({**ANSWER, "more": 1}),
        json.dumps(ANSWER).replace("25.0", "NaN"),
        json.dumps(ANSWER).replace("25.0", "-Infinity"),
        json.dumps(ANSWER).replace("25.0", "1e400"),
        json.dumps(ANSWER).replace("25.0", "0"),
        json.dumps(ANSWER).replace("25.0", '"25"'),
        json.dumps(ANSWER).replace('"width": 96', '"width": true'),
        json.dumps(ANSWER).replace('"width": 96', '"width": -1'),
        json.dumps(ANSWER).replace('"width": 96', '"width": 96.5'),
        json.dumps(ANSWER).replace('"muted": false', '"muted": 0'),
    ],
)
def test_what_is_no_answer_is_refused(reply, text):
    with pytest.raises(ArgumentFault, match=r"no answer|breaks its schema"):
        read(reply, text)


def test_an_answer_may_not_be_large_or_something_else_than_a_file(tmp_path):
    large = tmp_path / "large.json"
    large.write_text(json.dumps(ANSWER) + " " * MAX_REPLY_BYTES)
    (tmp_path / "link.json").symlink_to(large)
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    for name in ("large", "link", "pipe", "folder", "missing"):
        with pytest.raises(ArgumentFault, match="no answer"):
            checked(tmp_path / f"{name}.json", "probe")


@pytest.mark.parametrize("picture", ["../../secret", "/etc/passwd", "000000.npy", "0.png", "000000.png\n", 5, None])
def test_pictures_have_the_names_that_were_asked_for(reply, picture):
    assert read(reply, json.dumps({"stills": [{"frame": 1, "picture": "000000.png"}]}), "stills")
    with pytest.raises(ArgumentFault):
        read(reply, json.dumps({"stills": [{"frame": 1, "picture": picture}]}), "stills")
    rows = [{**ROW, "normal": "000000.png", "bypassed": picture}]
    with pytest.raises(ArgumentFault):
        read(reply, json.dumps({"bypasses": rows}), "bypasses")
    with pytest.raises(ArgumentFault):
        read(reply, json.dumps({"render": {"film": picture, "frames": 1}}), "render")


def test_a_stated_refusal_is_passed_on_as_one_line(reply):
    with pytest.raises(ArgumentFault, match="project: too deep x"):
        read(reply, json.dumps({"failed": "too deep\nx\x1b"}))


def paths(value, path=()):
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from paths(member, (*path, key))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
def test_an_answer_with_anything_anywhere_is_refused_or_a_record(reply, data):
    answer = copy.deepcopy(ANSWER)
    *way, last = data.draw(st.sampled_from(list(paths(ANSWER))[1:]))
    owner = answer
    for key in way:
        owner = owner[key]
    owner[last] = data.draw(JSON)
    assert is_record_or_refused(reply, json.dumps(answer).encode())


@given(st.binary(max_size=200), st.integers(0, 2000), st.integers(0, 50))
def test_a_text_with_anything_in_it_is_refused_or_a_record(reply, piece, at, length):
    text = json.dumps(ANSWER).encode()
    assert is_record_or_refused(reply, text[:at] + piece + text[at + length :])


def is_record_or_refused(reply, text):
    """Whether a text becomes a record or is refused as the project's fault; anything else it raises is a failure."""
    try:
        return isinstance(probe_of(read(reply, text)), Probe)
    except ArgumentFault as fault:
        return fault.argument == "project"
