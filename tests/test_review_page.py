"""The page for blind review, driven in a real browser: Chromium without a screen, by way of its own driver."""

import json
import os
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from test_clip_experiments import CASES, laid_out

from rubric.engine import load
from rubric.engine.evaluation import Options
from rubric.engine.folders import write_folder
from rubric.engine.loading import bundled_folder

FORMS = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted((Path(__file__).parent / "clips/forms").iterdir())
}
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --window-size=1280,900 --autoplay-policy=no-user-gesture-required"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium and chromedriver on this machine; Debian has packages of both"
)
PATIENCE = 20  # seconds until a condition that never comes is a failure


class Page:
    """The page of one package in a browser, as a reviewer uses it."""

    def __init__(self, browser: Any, downloads: Path):
        self.browser = browser
        self.downloads = downloads

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def open(self, folder: Path, address: str | None = None) -> "Page":
        self.browser.get(f"{address or folder.as_uri()}/review.html")
        return self

    def find(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def wait(self, condition: Any) -> Any:
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition())

    def click(self, selector: str) -> None:
        """A click wherever on the page the element is."""
        self.run("const e = document.querySelector(arguments[0]); e.focus(); e.click()", selector)

    def type(self, selector: str, text: str) -> None:
        """Replace what stands in a field, key by key."""
        field = self.find(selector)
        self.run("arguments[0].select()", field)
        field.send_keys("\ue003" if self.value(selector) else "", text)

    def keys(self, text: str) -> None:
        """Keys on whatever has the focus."""
        self.browser.switch_to.active_element.send_keys(text)

    def name_reviewer(self, name: str) -> None:
        self.type("#reviewer", name)
        self.run("document.activeElement.blur()")

    def value(self, selector: str) -> Any:
        return self.run("return document.querySelector(arguments[0]).value", selector)

    def checked(self, selector: str) -> bool:
        return self.run("return document.querySelector(arguments[0]).checked", selector)

    @property
    def status(self) -> str:
        return self.run("return document.getElementById('status').textContent")

    @property
    def fault(self) -> tuple[str, str]:
        return tuple(self.run("const d = document.getElementById('status').dataset; return [d.fault, d.clip]"))

    def answer(self, n: int, clip: dict[str, Any]) -> None:
        """Everything that a scenario says of the n-th video."""
        if clip["verdict"]:
            self.click(f"#clip-{n}-verdict-{clip['verdict']}")
        if clip["repairSeconds"]:
            self.type(f"#clip-{n}-repair", clip["repairSeconds"])
        if clip["sourceCompared"]:
            self.click(f"#clip-{n}-compared")
        for defect in clip["defects"]:
            self.click(f"#clip-{n}-defect-{defect}")
        for dimension, score in clip["scores"].items():
            self.click(f"#clip-{n}-score-{dimension}-{score}")
        if clip["notes"]:
            self.type(f"#clip-{n}-notes", clip["notes"])

    def download(self) -> tuple[str, Any]:
        """The name and content of the one file that a click on the button gives."""
        self.click("#download")
        name = self.wait(lambda: next((n for n in os.listdir(self.downloads) if n.endswith(".json")), None))
        return name, json.loads((self.downloads / name).read_text("utf-8"))

    def axe(self) -> list[str]:
        """What axe-core finds wrong with the page as it is now."""
        self.run(axe_source())
        found = self.browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
        return [f"{v['id']}: {[node['html'] for node in v['nodes']][:3]}" for v in found["violations"]]


def axe_source() -> str:
    """The script of axe-core: a file named by AXE_CORE, else the one that the test dependencies bring."""
    if os.environ.get("AXE_CORE"):
        return Path(os.environ["AXE_CORE"]).read_text("utf-8")
    package = pytest.importorskip("axe_core_python", reason="no axe-core: install the extra 'test'")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium: install the extra 'test'")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS.split(), f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Page]:
    """A page in a browser without drafts; nothing may have been reported as an error afterwards."""
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    browser.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
    browser.get_log("browser")
    yield Page(browser, downloads)
    said = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    browser.execute_script("localStorage.clear()")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.get("about:blank")
    assert said == []


def made(manifest: Path, folder: Path) -> Path:
    """The package of an experiment."""
    options = Options(artifacts=("package",))
    _, contents = load("clips-2").run_with_artifacts({"manifest": str(manifest)}, options=options)
    write_folder(folder, contents["package"])
    return folder


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three videos that no browser can play: the forms work all the same."""
    folder = tmp_path_factory.mktemp("talks")
    return made(laid_out(folder / "experiment", CASES["two-runs-two-cases"]["files"]), folder / "package")


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four short films that play."""
    return made(bundled_folder() / "examples/clips/spring/manifest.json", tmp_path_factory.mktemp("spring") / "package")


def repairable(overall: str = "4", **more: Any) -> dict[str, Any]:
    clip = {
        "verdict": "repairable",
        "repairSeconds": "",
        "sourceCompared": None,
        "defects": [],
        "scores": {},
        "notes": "",
    }
    return {**clip, "scores": {"overall": overall}, **more}


# ---------------------------------------------------------------- what is typed and what is downloaded


@pytest.mark.parametrize("id", FORMS)
def test_form(id: str, page: Page, talks: Path) -> None:
    form = FORMS[id]
    page.open(talks)
    page.name_reviewer(form["reviewer"])
    for n, clip in enumerate(form["clips"], 1):
        page.answer(n, clip)
    if form["reloadBeforeDownload"]:
        page.browser.refresh()
    if "refused" in form["expected"]:
        page.click("#download")
        clip = str(form["expected"].get("clip") or "")
        assert page.fault == (form["expected"]["refused"], clip)
        assert (f"Video {clip}:" in page.status) is bool(clip)
        assert os.listdir(page.downloads) == []
        return
    expected = form["expected"]["download"]
    name, ballot = page.download()
    key = json.loads((talks / "private-key.json").read_text("utf-8"))
    ratings = [
        {"id": key[r["clip"] - 1]["id"], **{k: v for k, v in r.items() if k != "clip"}} for r in expected["ratings"]
    ]
    index = json.loads((talks / "review-index.json").read_text("utf-8"))
    head = {"schemaVersion": 2, "experimentId": index["experimentId"], "reviewer": expected["reviewer"]}
    assert (name, ballot) == (expected["fileName"], {**head, "ratings": ratings})
    assert f"{expected['unrated']} video" in page.status
    summed = load("clips-review-2").run(index=talks / "review-index.json", submissions=[page.downloads / name])
    assert summed.to_dict()["outcome"] == "pass"


@pytest.mark.parametrize("text", ["12e", "1m30", "7,5", "1e400", "--3", "12 13"])
def test_what_is_no_number_of_seconds_is_refused_and_not_dropped(text: str, page: Page, talks: Path) -> None:
    page.open(talks)
    page.name_reviewer("ann")
    page.answer(2, repairable(repairSeconds=text))
    assert page.value("#clip-2-repair") == text
    page.browser.refresh()
    page.click("#download")
    assert page.fault == ("repair-not-a-number", "2")
    assert page.value("#clip-2-repair") == text
    assert page.run("return document.activeElement.id") == "clip-2-repair"
    assert os.listdir(page.downloads) == []


def test_the_page_says_what_is_missing_before_the_download(page: Page, talks: Path) -> None:
    page.open(talks)

    def missing() -> list[str]:
        return page.run("return [...document.querySelectorAll('#missing li')].map(e => e.textContent)")

    assert missing() == ["Your name or code is missing.", "3 videos are not decided, and will stay unrated."]
    page.name_reviewer("ann")
    page.answer(1, {**repairable(), "scores": {}})
    assert missing() == ["Video 1: choose a score for Overall.", "2 videos are not decided, and will stay unrated."]
    page.click("#missing a")
    assert page.run("return document.activeElement.closest('.steps').id") == "clip-1-score-overall"
    page.keys("4")
    for n in (2, 3):
        page.answer(n, repairable())
    assert missing() == ["Everything is complete."]
    assert page.find("#count").text == "3 of 3 decided"


# ---------------------------------------------------------------- drafts


def test_each_reviewer_of_one_browser_has_a_draft(page: Page, talks: Path) -> None:
    page.open(talks)
    page.name_reviewer("ann")
    page.answer(1, repairable(notes="of ann"))
    page.name_reviewer("bo")
    assert (page.value("#clip-1-notes"), page.checked("#clip-1-verdict-none")) == ("", True)
    page.answer(1, repairable("2", verdict="reject", notes="of bo"))
    page.browser.refresh()
    assert (page.value("#reviewer"), page.value("#clip-1-notes")) == ("bo", "of bo")
    page.name_reviewer("ann")
    assert (page.value("#clip-1-notes"), page.checked("#clip-1-verdict-repairable")) == ("of ann", True)
    page.name_reviewer("ann b.")  # ann corrects her name, and takes her answers along
    assert page.value("#clip-1-notes") == ""
    page.click("#status button")
    assert page.value("#clip-1-notes") == "of ann"
    assert page.download()[1]["ratings"][0]["notes"] == "of ann"


def test_answers_from_before_a_name_was_given_belong_to_the_first_name(page: Page, talks: Path) -> None:
    page.open(talks)
    page.answer(1, repairable(notes="early"))
    page.browser.refresh()
    assert page.value("#clip-1-notes") == "early"
    page.name_reviewer("ann")
    assert page.value("#clip-1-notes") == "early"
    page.name_reviewer("bo")
    assert page.value("#clip-1-notes") == ""


def test_a_draft_that_is_none_is_passed_over(page: Page, talks: Path) -> None:
    page.open(talks)
    page.name_reviewer("ann")
    page.answer(1, repairable(notes="kept"))
    draft = "Object.keys(localStorage).find(key => key.endsWith('draft/ann'))"
    broken = "a[Object.keys(a)[0]] = {verdict: 'x', defects: null, scores: [], notes: 'kept', repair: 5, other: 1}"
    page.run(f"const k = {draft}, a = JSON.parse(localStorage[k]); {broken}; localStorage[k] = JSON.stringify(a)")
    page.browser.refresh()
    page.open(talks)
    assert (page.value("#clip-1-notes"), page.value("#clip-1-repair"), page.checked("#clip-1-verdict-none")) == (
        "kept",
        "",
        True,
    )
    page.run(f"localStorage[{draft}] = '{{'")
    page.browser.refresh()
    assert page.value("#clip-1-notes") == ""


def test_two_windows_with_one_form_are_noticed(page: Page, talks: Path) -> None:
    page.open(talks)
    page.name_reviewer("ann")
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.open(talks)
    page.answer(1, repairable(notes="from the second"))
    page.browser.close()
    page.browser.switch_to.window(first)
    page.wait(lambda: "changed in another window" in page.status)


def test_where_drafts_cannot_be_kept_the_download_still_works(page: Page, talks: Path) -> None:
    page.open(talks)
    page.run("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    page.name_reviewer("ann")
    page.answer(1, repairable())
    assert "does not keep drafts (QuotaExceededError)" in page.status
    assert len(page.download()[1]["ratings"]) == 1
    page.run("addEventListener('beforeunload', event => event.stopImmediatePropagation(), true)")
    page.run("delete Storage.prototype.setItem")


# ---------------------------------------------------------------- playing


def test_the_source_opens_after_the_first_viewing_alone(page: Page, spring: Path) -> None:
    page.open(spring)
    button = page.find("#clip-1 section button")
    assert not button.is_enabled()
    assert page.run("return document.querySelectorAll('#clip-1 video').length") == 1
    page.run("const v = document.querySelector('#clip-1-video'); v.currentTime = v.duration")  # to look at the end only
    page.wait(lambda: page.run("return document.querySelector('#clip-1-video').ended"))
    assert not button.is_enabled()
    page.run("const v = document.querySelector('#clip-1-video'); v.currentTime = 0; v.playbackRate = 2; v.play()")
    page.wait(button.is_enabled)
    page.click("#clip-1 section button")
    source = page.find("#clip-1 section video").get_attribute("src")
    assert Path(source.partition("#")[0]).name.startswith("source-")
    key = json.loads((spring / "private-key.json").read_text("utf-8"))[0]
    example = bundled_folder() / "examples/clips/spring"
    output = json.loads((example / f"{key['runId']}.json").read_text("utf-8"))
    part = output["cases"][key["caseId"]]["highlights"][key["rank"] - 1]
    assert source.partition("#t=")[2] == f"{part['start']},{part['end']}"
    page.wait(lambda: page.run("return document.querySelector('#clip-1 section video').currentTime") == part["start"])
    page.browser.refresh()
    assert page.find("#clip-1 section button").is_enabled()


def test_a_clip_without_a_source_says_so(page: Page, tmp_path: Path) -> None:
    files = dict(CASES["two-runs-two-cases"]["files"])
    manifest = json.loads(files["manifest.json"])
    for case in manifest["cases"]:
        del case["source"]
    page.open(made(laid_out(tmp_path / "x", files | {"manifest.json": json.dumps(manifest)}), tmp_path / "package"))
    assert "source of this video is not available" in page.find("#clip-1").text
    assert not page.find("#clip-1-compared").is_enabled()
    page.name_reviewer("ann")
    page.answer(1, repairable())
    assert page.download()[1]["ratings"][0]["sourceCompared"] is False


def test_the_stopwatch_starts_pauses_goes_on_and_can_be_corrected(page: Page, talks: Path) -> None:
    page.open(talks)
    page.name_reviewer("ann")
    page.answer(1, repairable())
    page.run("window.at = 0; performance.now = () => window.at")
    start = "#clip-1 .repair button"
    page.click(start)
    page.run("window.at = 12340")
    assert page.find(start).text == "Pause the stopwatch"
    page.click(start)
    assert page.value("#clip-1-repair") == "12.3"
    page.type("#clip-1-repair", "20")
    page.click(start)
    page.run("window.at += 5000")
    page.click("#clip-2 .repair button")  # one runs at a time
    assert page.value("#clip-1-repair") == "25"
    page.run("window.at += 1000")
    assert page.download()[1]["ratings"][0]["repairSeconds"] == 25
    assert page.value("#clip-2-repair") == "1"


def test_a_whole_review_by_keys(page: Page, spring: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open(spring)
    page.find("#reviewer").send_keys("ann", Keys.TAB)
    page.run("document.activeElement.blur()")
    page.keys("+")
    assert page.value("#clip-1-rate") == "1.25"
    page.keys("k")
    page.wait(lambda: page.run("return document.querySelector('#clip-1-video').currentTime > 0"))
    page.keys("q4n")
    assert page.run("return document.activeElement.id") == "clip-2-title"
    assert page.run("return document.querySelector('#clip-1-video').paused")
    page.keys("e2p")
    page.keys("u")
    assert page.run("return document.activeElement.id") == "clip-3-title"
    page.keys("w")
    page.click("#clip-3-score-hook-1")
    page.keys("3")  # the row that has the focus
    page.keys(Keys.CONTROL + "s")
    assert page.fault == ("overall-missing", "3")
    page.keys("5s")
    name = page.wait(lambda: next((n for n in os.listdir(page.downloads) if n.endswith(".json")), None))
    ratings = json.loads((page.downloads / name).read_text("utf-8"))["ratings"]
    found = [(r["verdict"], r["scores"]["hook"], r["scores"]["overall"]) for r in ratings]
    assert found == [("publishable", None, 4), ("reject", None, 2), ("repairable", 3, 5)]


def test_keys_do_nothing_while_someone_types_and_can_be_switched_off(page: Page, talks: Path) -> None:
    page.open(talks)
    page.type("#clip-1-notes", "queen 5")
    assert (page.value("#clip-1-notes"), page.checked("#clip-1-verdict-none")) == ("queen 5", True)
    page.click("#help")
    page.click("#keys-on")
    page.click("#keys button")
    page.run("document.activeElement.blur()")
    page.keys("q")
    assert page.checked("#clip-1-verdict-none")
    page.browser.refresh()
    assert not page.checked("#keys-on")


# ---------------------------------------------------------------- packages


def test_a_package_without_a_playable_clip(page: Page, tmp_path: Path) -> None:
    package = made(laid_out(tmp_path / "x", CASES["defaults-minimal"]["files"]), tmp_path / "package")
    page.open(package)
    assert "no playable video in this package" in page.find("main").text
    assert page.axe() == []
    page.name_reviewer("ann")
    assert page.download()[1]["ratings"] == []


def test_sixty_clips(page: Page, tmp_path: Path) -> None:
    example = bundled_folder() / "examples/clips/spring"
    files = {name: (example / name).read_text("utf-8") for name in ("bees.reference.json", "old.json", "manifest.json")}
    manifest, run = json.loads(files["manifest.json"]), json.loads(files["old.json"])
    manifest |= {"topK": 60, "cases": manifest["cases"][:1], "runs": manifest["runs"][:1]}
    run["cases"] = {"bees": run["cases"]["bees"] | {"highlights": [{"start": 0, "end": 2}] * 60}}
    run["renders"] = [{"caseId": "bees", "path": "old-bees-1.webm"}] * 60
    folder = laid_out(tmp_path / "x", files | {"manifest.json": json.dumps(manifest), "old.json": json.dumps(run)})
    for name in ("bees.webm", "old-bees-1.webm"):
        shutil.copy(example / name, folder.parent / name)
    page.open(made(folder, tmp_path / "package"))
    assert page.find("#count").text == "0 of 60 decided"
    page.name_reviewer("ann")
    page.run("document.querySelectorAll('#index a')[59].click()")
    assert page.run("return document.activeElement.id") == "clip-60-title"
    page.keys("w3")
    page.answer(31, repairable("5"))
    ratings = page.download()[1]["ratings"]
    assert [rating["scores"]["overall"] for rating in ratings] == [5, 3]
    assert "58 videos stay unrated" in page.status


def test_over_http_with_nothing_from_anywhere_else(page: Page, spring: Path) -> None:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(spring))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        page.open(spring, address)
        page.wait(lambda: page.run("return document.querySelector('#clip-1-video').readyState > 0"))
        page.name_reviewer("ann")
        page.answer(1, repairable())
        assert len(page.download()[1]["ratings"]) == 1
        loaded = page.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
        page.run("localStorage.clear()")
        page.browser.get("about:blank")
        server.shutdown()
    assert loaded
    assert all(name.startswith(f"{address}/") and name.endswith(".webm") for name in loaded)
    page.open(spring)


# ---------------------------------------------------------------- from the experiment to the summary


def test_two_reviewers_and_the_summary_of_their_ballots(page: Page, spring: Path) -> None:
    """The figures are worked out by hand from what the two of them say."""
    publishable, reject = repairable("5", verdict="publishable"), repairable("1", verdict="reject")
    said = {
        "ann": {
            ("old", "bees", 1): publishable | {"sourceCompared": True},
            ("old", "dams", 1): reject,
            ("new", "bees", 1): publishable,
            ("new", "bees", 2): repairable("3", repairSeconds="30", defects=["caption-error"]),
        },
        "bo": {
            ("old", "bees", 1): publishable | {"sourceCompared": True},
            ("old", "dams", 1): publishable,
            ("new", "bees", 1): publishable | {"repairSeconds": "0"},
            ("new", "bees", 2): repairable("4", repairSeconds="50"),
        },
    }
    key = json.loads((spring / "private-key.json").read_text("utf-8"))
    videos = {(clip["runId"], clip["caseId"], clip["rank"]): n for n, clip in enumerate(key, 1)}
    page.open(spring)
    for name, answers in said.items():
        page.name_reviewer(name)
        for place, clip in answers.items():
            page.answer(videos[place], clip)
        page.click("#download")
        page.wait(lambda name=name: f"blind-ratings-{name}.json" in os.listdir(page.downloads))
    ballots = [page.downloads / f"blind-ratings-{name}.json" for name in said]
    report = load("clips-review-2").run(index=spring / "review-index.json", submissions=ballots).to_dict()
    assert report["outcome"] == "pass", report.get("error")
    assert report["values"]["reviewers"] == ["ann", "bo"]
    old, new = (report["values"]["runs"][run]["summary"] for run in ("old", "new"))
    expected_old = {
        "eligible_top_k_slots": 4,
        "missing_renders": 1,
        "fully_reviewed": 2,
        "publishable": 1,
        "publishable_per_top_k_slot": 0.25,
        "accepted": 1,
        "disagreements": 1,
        "source_compared_clips": 1,
        "median_repair_seconds": None,
    }
    expected_new = {
        "unknown_output_slots": 2,
        "fully_reviewed": 2,
        "publishable": 1,
        "publishable_among_reviewed": 0.5,
        "accepted": 2,
        "severe_defect_clips": 1,
        "median_repair_seconds": 40,
        "repair_measurement_coverage": 0.5,
        "ready_declared": 1,
        "ready_publishable": 1,
    }
    assert {name: old[name] for name in expected_old} == expected_old
    assert {name: new[name] for name in expected_new} == expected_new
    assert new["severe_defects"]["caption-error"] == 1


# ---------------------------------------------------------------- for everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_accessible(scheme: str, width: int, page: Page, spring: Path) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    page.open(spring)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert page.axe() == []
    page.name_reviewer("ann")
    page.answer(1, repairable(verdict="publishable", repairSeconds="-1", defects=["other"]))
    page.answer(2, repairable(notes="00:12 a note"))
    page.click("#download")
    assert page.fault[0] == "repair-negative"
    assert page.axe() == []
    page.click("#help")
    assert page.axe() == []
    page.click("#keys button")


def test_the_focus_can_be_seen(page: Page, talks: Path) -> None:
    page.open(talks)
    for selector in ("#reviewer", "#download", "#clip-1-repair", "#clip-1-verdict-reject", "#index a"):
        page.run("document.querySelector(arguments[0]).focus({focusVisible: true})", selector)
        shown = "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]"
        assert page.run(shown) == ["solid", "3px"]
