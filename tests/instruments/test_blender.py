"""Real projects in a real Blender: what they are, what they show, and that none of them harms anything."""

from itertools import product

import av
import numpy as np
import pytest

from rubric.primitives import blender, image, video
from rubric.primitives.faults import ArgumentFault, InstrumentFault
from rubric.primitives.instruments.blender import driver, jail

SETTINGS = {"version": "5.0.1", "options": "--factory-startup --disable-autoexec", "minutes": 3, "memory_gb": 3}
LEFT, RIGHT = (27, 30), (27, 90)  # two pixels that no bar of the first frames touches; the mask covers the left one
GUIDE, PLATE = 200, 60


@pytest.fixture
def opened(kit, shared_cache):
    """Calls a primitive for one of the projects."""

    def call(function, name, *frames):
        project = kit / "projects" / f"{name}.blend"
        return function(project, *([list(frames)] if frames else []), kit / "input", SETTINGS)

    return call


def level(picture, at):
    """The grey at a pixel, which H.264 and the conversion to RGB move by a level or two."""
    assert np.ptp(picture[at].astype(int)) <= 2
    return int(picture[at][1])


def near(a, b):
    return abs(a - b) <= 2


# ---------------------------------------------------------------- the instrument


def test_the_instrument_says_what_it_is_and_what_protects_from_it(own_cache):
    assert blender.works(SETTINGS) is True
    found = blender.instrument(SETTINGS)
    assert found.version == "5.0.1"
    assert found.sandbox == jail.protection().sandbox


def test_another_version_is_a_fault_of_the_instrument(own_cache):
    with pytest.raises(InstrumentFault, match=r"Blender 4\.2\.0 is needed"):
        blender.works({"version": "4.2.0"})


def test_a_blender_without_memory_to_start_in_is_a_fault_of_the_instrument(own_cache):
    with pytest.raises(InstrumentFault, match="does not start"):
        blender.works(SETTINGS | {"memory_gb": 0.05})


def test_a_sandbox_can_be_required(own_cache, monkeypatch):
    monkeypatch.setattr(jail, "protection", lambda: jail._KINDS["limits"])
    with pytest.raises(InstrumentFault, match="a sandbox is required"):
        blender.works(SETTINGS | {"require_sandbox": True})
    monkeypatch.setenv("RUBRIC_REQUIRE_SANDBOX", "1")
    with pytest.raises(InstrumentFault, match="a sandbox is required"):
        blender.works(SETTINGS)


# ---------------------------------------------------------------- what a project is


def test_the_active_scene(opened):
    scene = opened(blender.probe, "plain").active_scene
    assert (scene.width, scene.height, scene.frames, scene.fps) == (96, 54, 10, 25)
    assert (scene.pixel_aspect_x, scene.pixel_aspect_y) == (1, 1)
    assert (scene.name, scene.shows, scene.first_frame) == ("Scene", "timeline", 1)


def strips(probe, **wanted):
    return [strip for strip in probe.strips if all(getattr(strip, name) == value for name, value in wanted.items())]


def test_strips_stand_with_file_place_and_state(opened):
    probe = opened(blender.probe, "plain")
    shown = [(s.kind, s.file, s.start, s.length, s.muted, s.reachable) for s in probe.strips]
    assert shown == [
        ("MOVIE", "b.mp4", 0, 10, False, True),
        ("META", None, 0, 10, False, True),
        ("MOVIE", "a.mp4", 0, 10, False, True),
        ("SOUND", "a.mp4", 0, 25, False, True),
        ("IMAGE", "overlay.png", 6, 3, False, True),
        ("MOVIE", "a.mp4", 2, 4, True, True),
    ]
    assert probe.strips[2].parent == probe.strips[1].number
    assert {s.inside for s in probe.strips if s.file} == {"originals"}


def test_strips_of_a_scene_in_a_scene_stand_on_the_outer_timeline(opened):
    """The outer strip shows frames 0 to 5 of the inner scene at 2 to 7; the inner scene's picture comes at 6."""
    probe = opened(blender.probe, "nested")
    live = [(s.kind, s.start, s.length) for s in strips(probe, scene="any", reachable=True, muted=False)]
    assert live == [("MOVIE", 2, 6), ("META", 2, 6), ("MOVIE", 2, 6), ("SOUND", 2, 6)]
    assert probe.active_scene.name == "top"
    assert not strips(probe, scene="planning", reachable=True)
    assert [(m.mask, m.live) for m in probe.masks] == [("left half", True), ("other", False)]


def test_a_muted_film_that_an_effect_shows_is_used(opened):
    film, speed = opened(blender.probe, "effects").strips
    assert (film.muted, film.used, speed.inputs) == (True, True, [film.number])


def test_only_the_open_meta_strip_shows(opened):
    assert [(s.kind, s.file) for s in opened(blender.probe, "open_meta").strips] == [("MOVIE", "a.mp4")]
    (still,) = opened(blender.stills, "open_meta", 1)
    assert near(level(still.image, LEFT), GUIDE)
    assert level(still.image, RIGHT) == 0


def test_pictures_from_elsewhere_are_told(opened):
    pictures = {(p.file, p.inside) for p in opened(blender.probe, "outside_picture").pictures}
    assert pictures == {("a.mp4", "originals"), ("matte.png", "project"), ("/etc/passwd", "elsewhere")}


def test_packed_pictures_are_compared_with_what_they_stand_for(opened):
    pictures = opened(blender.probe, "packed_pictures").pictures
    packed = [(p.file, p.inside, p.altered) for p in pictures if p.packed]
    assert sorted(packed) == [
        ("", "nowhere", True),
        ("overlay.png", "originals", False),
        ("overlay.png", "originals", True),
    ]
    assert len(pictures) == 4  # with the film; a generated picture is none


def test_a_linked_project_is_told(opened):
    assert [(f.file, f.inside) for f in opened(blender.probe, "library_link").libraries] == [
        ("library.blend", "project")
    ]


# ---------------------------------------------------------------- what it renders


def test_stills_are_the_frames_asked_for(opened):
    stills = opened(blender.stills, "plain", 5, 0, 7, 99)
    assert [still.frame for still in stills] == [5, 0, 7, 99]
    assert stills[3].image is None
    first = stills[1].image
    assert first.shape == (54, 96, 3)
    assert first.dtype == np.uint8
    assert near(level(first, LEFT), GUIDE)
    assert near(level(first, RIGHT), PLATE)
    bar = 3 * 5 + 1  # of frame 5
    assert near(level(stills[0].image, (27, bar)), 250)
    assert near(stills[2].image[RIGHT][2], PLATE / 2)  # half of yellow over the plate


def test_a_replay_shows_the_stills_and_sounds(opened):
    film = opened(blender.render, "plain")
    probe = video.probe(film)
    assert (probe.width, probe.height, probe.frames, probe.fps, probe.sample_aspect) == (96, 54, 10, 25, 1)
    assert (probe.video_codec, probe.audio_codec, probe.audio_channels, probe.audio_rate) == ("h264", "aac", 2, 48000)
    for still in opened(blender.stills, "plain", 0, 4, 8):
        assert image.mae(still.image, video.frame(film, still.frame)) < 3
    with av.open(film) as container:
        sound = np.concatenate([frame.to_ndarray() for frame in container.decode(audio=0)], axis=1)
    left, right = np.sqrt((sound[:, 4800:14400] ** 2).mean(axis=1))
    assert left == pytest.approx(0.3 / np.sqrt(2), rel=0.05)
    assert right == pytest.approx(0.2 / np.sqrt(2), rel=0.05)


def test_a_nested_scene_renders_where_it_is_said_to_stand(opened):
    before, after = opened(blender.stills, "nested", 1, 2)
    assert before.image.max() == 0
    assert near(level(after.image, LEFT), GUIDE)
    assert near(level(after.image, (27, 1)), 250)  # the bar of the inner scene's first frame


def test_a_project_cannot_choose_where_and_how_it_is_written(opened, kit):
    before = files(kit)
    assert video.probe(opened(blender.render, "own_output")).frames == 10
    assert opened(blender.stills, "compositor", 1)[0].image[LEFT][0] >= 254
    assert files(kit) == before


def files(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


# ---------------------------------------------------------------- masks


def bypassed(rows):
    """For each bypass the levels of the left and the right pixel without it."""
    return {row.use: (int(row.bypassed[LEFT][0]), int(row.bypassed[RIGHT][0])) for row in rows}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain", {"modifier 0 muted": (GUIDE, GUIDE)}),
        ("effects", {"modifier 0 muted": (GUIDE, GUIDE)}),
        (
            "redundant",
            {
                "modifier 0 muted": (GUIDE, PLATE),
                "modifier 1 muted": (GUIDE, PLATE),
                "modifiers 0, 1 muted": (GUIDE, GUIDE),
            },
        ),
        ("modifiers", {"modifier 0 muted": (GUIDE, GUIDE), "modifier 0 unmasked": (0, 0)}),
        ("mask_strip", {"strip 0 constant 0": (0, 0), "strip 0 constant 1": (GUIDE, GUIDE)}),
        ("compositor", {"node 0 constant 0": (0, 0), "node 0 constant 1": (255, 255)}),
        ("compositor_modifier", {"node 0 constant 0": (0, 0), "node 0 constant 1": (255, 255)}),
    ],
)
def test_every_live_use_of_a_mask_is_bypassed(opened, name, expected):
    rows = opened(blender.mask_bypasses, name, 1, 3)
    assert [(row.use, row.frame) for row in rows] == list(product(expected, [1, 3]))
    for use, levels in bypassed(rows).items():
        assert all(map(near, levels, expected[use])), use
    stills = {still.frame: still.image for still in opened(blender.stills, name, 1, 3)}
    assert all(same(row.normal, stills[row.frame]) for row in rows)


def same(a, b):
    """Whether two renders are one, but for the upper right pixel, which Blender 5.0.1 may leave undefined."""
    different = (a != b).any(axis=2)
    different[0, -1] = False
    return not different.any()


def test_a_modifier_fed_by_strips_counts_where_a_mask_feeds_it(opened):
    rows = opened(blender.mask_bypasses, "fed_by_strip", 1)
    assert [(row.use, row.masks) for row in rows] == [("modifier 1 muted", ["left half"])]


def test_frames_after_the_end_have_no_pictures(opened):
    rows = opened(blender.mask_bypasses, "plain", 1, 50)
    assert [(row.frame, row.normal is None, row.bypassed is None) for row in rows] == [
        (1, False, False),
        (50, True, True),
    ]


# ---------------------------------------------------------------- hostile projects


def outcome(call):
    """What a call of a primitive comes to: its result, or the reason why the project is refused."""
    try:
        return call()
    except ArgumentFault as fault:
        return f"{fault.argument}: {fault.reason}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("huge_frames", "its frames of 65536 x 65536 cannot be rendered"),
        ("huge_range", "its timeline of 1000000 frames cannot be rendered"),
    ],
)
def test_a_project_that_cannot_be_rendered_is_read_and_no_more(opened, name, reason):
    assert opened(blender.probe, name).strips
    for function, frames in ((blender.stills, [1]), (blender.mask_bypasses, [1]), (blender.render, [])):
        assert outcome(lambda function=function, frames=frames: opened(function, name, *frames)) == f"project: {reason}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("deep_metas", "its timelines are nested too deeply"),
        ("doubling", "its timelines show more than 10000 strips"),
    ],
)
def test_a_project_that_cannot_be_walked_is_refused(opened, name, reason):
    assert outcome(lambda: opened(blender.probe, name)) == f"project: {reason}"


def test_a_project_that_needs_more_memory_than_there_is_is_refused(opened, kit):
    before = files(kit)
    assert "crashed or ran out of memory" in outcome(lambda: opened(blender.stills, "subdivision_bomb", 0, 1))
    assert files(kit) == before


@pytest.mark.parametrize("name", ["scripted_driver", "register_text"])
def test_scripts_of_a_project_do_not_run(opened, kit, name):
    assert opened(blender.probe, name).scripts_refused
    assert opened(blender.stills, name, 0, 5)[0].image is not None
    assert isinstance(opened(blender.render, name), str)
    assert not (kit / "projects" / "payload-ran").exists()


def test_scenes_that_show_each_other_end(opened):
    assert [s.kind for s in opened(blender.probe, "scene_loop").strips] == ["MOVIE", "SCENE", "SCENE"]
    assert opened(blender.stills, "scene_loop", 1)[0].image is not None
    assert isinstance(outcome(lambda: opened(blender.render, "scene_loop")), str)  # Blender may crash on its sound


@pytest.mark.parametrize("name", ["outside_picture", "library_link"])
def test_what_lies_outside_cannot_be_seen(opened, name):
    """The picture that lies beside the project is not in the frame."""
    if jail.protection().files_hidden:
        assert near(level(opened(blender.stills, name, 1)[0].image, RIGHT), GUIDE)


@pytest.mark.parametrize("content", [b"", b"BLENDER", b"BLENDER-v500" + bytes(5000), b"\x28\xb5\x2f\xfd" + bytes(99)])
def test_what_is_no_project_is_refused(own_cache, kit, tmp_path, content):
    project = tmp_path / "broken.blend"
    project.write_bytes(content)
    assert outcome(lambda: blender.probe(project, kit / "input", SETTINGS)).startswith("project: ")


@pytest.mark.parametrize("share", [0.2, 0.6, 0.98])
def test_a_project_that_is_cut_off_is_refused_or_read(own_cache, kit, tmp_path, share):
    content = (kit / "projects" / "plain.blend").read_bytes()
    project = tmp_path / "cut.blend"
    project.write_bytes(content[: int(len(content) * share)])
    assert isinstance(outcome(lambda: blender.probe(project, kit / "input", SETTINGS)), str | blender.Probe)


# ---------------------------------------------------------------- what is kept


def test_a_second_call_runs_nothing(opened, monkeypatch):
    first = opened(blender.stills, "plain", 3)
    rows = opened(blender.mask_bypasses, "plain", 3)
    film = opened(blender.render, "plain")
    monkeypatch.setattr(driver, "run", lambda *_: pytest.fail("Blender was started"))
    assert (opened(blender.stills, "plain", 3)[0].image == first[0].image).all()
    assert len(opened(blender.mask_bypasses, "plain", 3)) == len(rows)
    assert opened(blender.render, "plain") == film


def test_other_originals_are_other_results(kit, own_cache, tmp_path):
    project = kit / "projects" / "plain.blend"
    swapped = {path.name: path for path in (kit / "input").iterdir()}
    swapped["b.mp4"] = kit / "input" / "a.mp4"
    usual = blender.stills(project, [1], kit / "input", SETTINGS)[0].image
    other = blender.stills(project, [1], swapped, SETTINGS)[0].image
    assert near(level(usual, RIGHT), PLATE)
    assert near(level(other, RIGHT), GUIDE)


def test_nothing_is_left_of_jobs_and_refusals(kit, own_cache):
    project = kit / "projects" / "deep_metas.blend"
    assert "nested" in outcome(lambda: blender.probe(project, kit / "input", SETTINGS))
    assert not list((own_cache / "jobs").iterdir())
    assert not [path for path in (own_cache / "results").iterdir() if path.is_dir()]


@pytest.mark.parametrize("sandbox", ["namespaces", "limits"])
def test_it_works_in_every_kind_of_protection(opened, own_cache, monkeypatch, sandbox):
    if sandbox == "namespaces" and not jail._succeeds([*jail._UNSHARE, "true"]):
        pytest.skip("unshare does not work here")
    for module in (jail, driver):
        monkeypatch.setattr(module, "protection", lambda: jail._KINDS[sandbox])
    assert [p.inside for p in opened(blender.probe, "plain").pictures] == ["originals"] * 3
    assert near(level(opened(blender.stills, "plain", 1)[0].image, RIGHT), PLATE)
