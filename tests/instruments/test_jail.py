"""What a program in the jail can do to the machine: the attempts of one that means harm, made for real."""

import json
import os
import socket
from dataclasses import dataclass

import pytest

from rubric.primitives.faults import ArgumentFault, InstrumentFault
from rubric.primitives.instruments.blender import install, jail, running
from rubric.primitives.instruments.blender.progress import Progress
from rubric.primitives.instruments.blender.settings import as_settings

ATTEMPTS = """
import json, os, socket
job = json.load(open({job!r}))
found = {{"environment": sorted(os.environ), "secret": os.path.exists({secret!r})}}

def attempt(name, work):
    try:
        work()
        found[name] = True
    except BaseException as error:
        found[name] = False

def connect():
    socket.create_connection(("127.0.0.1", {port}), timeout=2).close()

def signal_outside():
    os.kill({pid}, 0)

def make(path):
    open(path, "w").close()
    os.remove(path)

attempt("network", connect)
attempt("other processes", signal_outside)
for name, path in (("project", job["project"]), ("originals", job["originals"] + "/film.mp4"), ("secret", {secret!r})):
    attempt("write " + name, lambda path=path: open(path, "r+b").write(b"x"))
for name, folder in (("beside project", os.path.dirname(job["project"])), ("beside originals", job["originals"]),
                     ("home", {home!r}), ("root", "/"), ("usr", "/usr"), ("etc", "/etc"), ("dev", "/dev")):
    attempt("write " + name, lambda folder=folder: make(os.path.join(folder, "intruder")))
found["read project"] = open(job["project"]).read()
found["read original"] = open(os.path.join(os.path.dirname(job["project"]), "../input/film.mp4")).read()
open(job["out"] + "/started", "w").close()
open(job["out"] + "/found.json", "w").write(json.dumps(found))
os._exit({code})
"""


@dataclass(frozen=True)
class Intruder(install.Blender):
    """Runs the attempts instead of the scripts, in place of Blender."""

    attempts: dict

    def command(self, expression):
        job = expression.split("main(")[1].strip("')")
        return [self.program, "-I", "-c", ATTEMPTS.format(job=job, **self.attempts)]


@pytest.fixture
def case(tmp_path):
    for name in ("case/project", "case/out", "home", "originals"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "originals" / "film.mp4").write_text("an original")
    (tmp_path / "home" / "secret").write_text("a secret")
    found = jail.Case(tmp_path / "case", {"film.mp4": str(tmp_path / "originals" / "film.mp4")})
    found.project.write_text("a project")
    return found


@pytest.mark.parametrize("sandbox", ["bubblewrap", "namespaces"])
def test_nothing_can_be_reached_or_changed(case, program, tmp_path, monkeypatch, sandbox):
    trial = jail._bubblewrap_trial() if sandbox == "bubblewrap" else [*jail._UNSHARE, "true"]
    if not jail._succeeds(trial):
        pytest.skip(f"{sandbox} does not work here")
    monkeypatch.setattr(jail, "protection", lambda: jail._KINDS[sandbox])
    monkeypatch.setenv("A_CREDENTIAL", "of the caller")
    found = attempted(case, program, tmp_path)
    assert found.pop("read project") == "a project"
    assert found.pop("read original") == "an original"
    environment = found.pop("environment")
    assert set(environment) <= {"BLENDER_USER_RESOURCES", "HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "TMPDIR", "SHLVL", "_", "OLDPWD"}  # fmt: skip # noqa: E501
    assert found.pop("secret") is not jail.protection().files_hidden
    assert not [name for name, succeeded in found.items() if succeeded]
    assert sorted(os.listdir(tmp_path / "home")) == ["secret"]
    assert (tmp_path / "originals" / "film.mp4").read_text() == "an original"


def attempted(case, program, tmp_path):
    described = install._described(program)
    with socket.create_server(("127.0.0.1", 0)) as server:
        attempts = {
            "port": server.getsockname()[1],
            "pid": os.getpid(),
            "secret": str(tmp_path / "home" / "secret"),
            "home": str(tmp_path / "home"),
            "code": 3,
        }
        intruder = Intruder(**vars(described), attempts=attempts)
        with pytest.raises(ArgumentFault, match="ended with code 3"):
            running.run(intruder, case, {"command": "probe"}, as_settings({"version": "5.0.1", "minutes": 1}))
    return json.loads((case.out / "found.json").read_text())


# ---------------------------------------------------------------- how a process ends


def watched(argv, out, seconds=20.0):
    return running._watched(argv, {"PATH": "/usr/bin:/bin"}, out, seconds, Progress("a test"))


def test_what_takes_too_long_is_ended_with_all_that_it_started(tmp_path):
    ended, _ = watched(["sh", "-c", "sleep 600 & echo $! > child; wait"], tmp_path, 0.3)
    assert ended == "Blender did not end within 0.005 minutes"


def test_what_writes_too_much_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "MAX_OUT_BYTES", 100_000)
    ended, _ = watched(["sh", "-c", f"head -c 500000 /dev/zero > {tmp_path}/large; sleep 600"], tmp_path)
    assert ended.startswith("Blender wrote more than")


@pytest.mark.parametrize(
    ("script", "ended"),
    [
        ("exit 0", ""),
        ("exit 7", "Blender ended with code 7"),
        ("kill -SEGV $$", "Blender crashed or ran out of memory (SIGSEGV)"),
        ("exit 134", "Blender crashed or ran out of memory (SIGABRT)"),
    ],
)
def test_how_it_ended_is_said(tmp_path, script, ended):
    assert watched(["sh", "-c", script], tmp_path)[0] == ended


def test_what_it_says_is_bounded_and_harmless(tmp_path):
    script = (
        r"printf 'progress 99999999999999 1\nprogress 1 0\nprogress x y\n\033[2J\000\377'; head -c 100000 /dev/zero"
    )
    ended, last = watched(["sh", "-c", script], tmp_path)
    assert ended == ""
    assert last.isprintable()


def test_a_program_that_is_not_there_is_a_fault_of_the_instrument(case):
    gone = install.Blender("/nowhere/python", True, "5.0.1", "none", ())
    with pytest.raises(InstrumentFault, match="does not start"):
        running.run(gone, case, {"command": "works"}, as_settings({"version": "5.0.1"}))
