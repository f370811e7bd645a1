"""Finding Blender, its settings, and `rubric tools`; nothing here installs anything."""

import subprocess
import sys

import pytest

from rubric.primitives import blender
from rubric.primitives.faults import ArgumentFault, InstrumentFault
from rubric.primitives.instruments.blender import install
from rubric.primitives.instruments.blender.driver import Project, _digest
from rubric.primitives.instruments.blender.settings import as_settings


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without Blender."""
    monkeypatch.delenv(install.ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_blender_it_is_said_how_to_get_it(bare):
    with pytest.raises(InstrumentFault, match=r"Blender 5\.0\.1 is not installed: run `rubric tools install blender`"):
        install.find()
    with pytest.raises(InstrumentFault, match="is not installed"):
        blender.works({"version": "5.0.1"})
    assert "is not installed" in install.state()


@pytest.mark.parametrize("version", ["5", "5.0", "../../5.0.1", "5.0.1\n", "latest", ""])
def test_a_version_is_three_numbers(bare, version):
    with pytest.raises(InstrumentFault, match="is no version of Blender"):
        install.find(version)


def test_what_the_environment_names_must_run_blender(bare, monkeypatch):
    for named, reason in ((sys.executable, "does not run Blender"), ("/nowhere/python", "cannot be run")):
        monkeypatch.setenv(install.ENVIRONMENT_VARIABLE, named)
        with pytest.raises(InstrumentFault, match=reason):
            install.find()


def test_an_environment_that_is_named_is_used(bare, monkeypatch, program):
    monkeypatch.setenv(install.ENVIRONMENT_VARIABLE, program)
    found = install.find()
    assert (found.program, found.version, found.is_module) == (program, "5.0.1", True)


def test_an_environment_that_is_installed_needs_no_start(bare, monkeypatch):
    environment = bare / "cache" / "rubric" / "blender" / "5.0.1"
    environment.mkdir(parents=True)
    noted = '{"program": "p", "is_module": true, "version": "5.0.1", "build": "b", "folders": ["f"]}'
    (environment / "blender.json").write_text(noted)
    assert install.find() == install.Blender("p", True, "5.0.1", "b", ("f",))
    (environment / "blender.json").write_text("{")
    with pytest.raises(InstrumentFault, match="cannot be run"):
        install.find()


# ---------------------------------------------------------------- settings and arguments


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (None, "is not a record of settings"),
        ({}, "it has no version"),
        ({"version": 5}, "version cannot be 5"),
        ({"version": "5.0.1", "minute": 3}, "is not one of version"),
        ({"version": "5.0.1", "minutes": 0}, "minutes cannot be 0"),
        ({"version": "5.0.1", "minutes": float("nan")}, "minutes cannot be"),
        ({"version": "5.0.1", "memory_gb": True}, "memory_gb cannot be"),
        ({"version": "5.0.1", "max_frames": 1.5}, r"max_frames cannot be 1\.5"),
        ({"version": "5.0.1", "require_sandbox": 1}, "require_sandbox cannot be 1"),
        ({"version": "5.0.1", "options": "--enable-autoexec"}, "options cannot be"),
    ],
)
def test_settings_are_checked(settings, reason):
    with pytest.raises(ArgumentFault, match=reason):
        as_settings(settings)


@pytest.mark.parametrize("name", ["../film.mp4", "/film.mp4", "a/../film.mp4", "", ".", "a\0b"])
def test_an_original_has_a_path_in_its_folder(tmp_path, name):
    project = tmp_path / "project.blend"
    project.touch()
    with pytest.raises(ArgumentFault, match="is no path in a folder"):
        Project.of(project, {name: str(project)}, as_settings({"version": "5.0.1"}))


@pytest.mark.parametrize("originals", ["/nowhere", None, 3, {"film.mp4": "/nowhere"}, {"film.mp4": None}])
def test_originals_are_a_folder_or_a_map_of_files(tmp_path, originals):
    project = tmp_path / "project.blend"
    project.touch()
    with pytest.raises(ArgumentFault, match="originals: "):
        Project.of(project, originals, as_settings({"version": "5.0.1"}))


@pytest.mark.parametrize("project", ["/nowhere.blend", "/", None])
def test_a_project_is_a_file(tmp_path, project):
    with pytest.raises(ArgumentFault, match="project: "):
        blender.probe(project, tmp_path, {"version": "5.0.1"})


def test_a_file_that_cannot_be_read_is_a_fault_of_its_argument(tmp_path):
    for argument in ("project", "originals"):
        with pytest.raises(ArgumentFault, match=f"{argument}: .* cannot be read: No such file"):
            _digest(argument, str(tmp_path / "gone"))


# ---------------------------------------------------------------- the command


def tools(*arguments, cache):
    environment = {"PATH": "", "XDG_CACHE_HOME": str(cache), "HOME": str(cache)}
    command = [sys.executable, "-m", "rubric.engine.cli", "tools", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_the_command_shows_what_is_missing(tmp_path):
    done = tools(cache=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("Blender 5.0.1 is not installed")


def test_the_command_knows_its_programs(tmp_path):
    done = tools("install", "gimp", cache=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: 'gimp' is none of the programs that can be installed: blender\n"


def test_an_install_that_fails_is_an_infrastructure_error(tmp_path):
    done = tools("install", "blender", "--version", "5.0", cache=tmp_path)
    assert done.returncode == 3
    assert "infrastructure error (instrument): '5.0' is no version of Blender" in done.stderr
