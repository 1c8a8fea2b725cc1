"""`foyer storyboard`: saves every state of an app as a picture, and leaves nothing else behind."""

import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

import pytest
from foyer import ROOT, binary
from test_tiles import UNREACHABLE, states

# A small app, every state of which is reachable.
SMALL = "mystica-instant"
# The headless shell, which is faster, unless a test passes None for the default browser.
SHELL = shutil.which("chromium-headless-shell")


class Terminal:
    """Runs the command isolated from the caller's environment, home and temporary files."""

    def __init__(self, folder):
        # A path as short as the default one: Chromium ignores a long one.
        self.temporary = Path(tempfile.mkdtemp(dir="/tmp", prefix="pics-"))
        self.home = folder / "home"
        self.home.mkdir()

    def start(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("FOYER_")}
        overrides = {"TMPDIR": str(self.temporary), "HOME": str(self.home), "CHROMIUM": SHELL}
        return subprocess.Popen(
            [binary(), "storyboard", *map(str, arguments)],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={
                k: v for k, v in {**environment, **overrides, **variables}.items() if v is not None
            },
        )

    def run(self, *arguments, **variables):
        process = self.start(*arguments, **variables)
        process.output, process.errors = process.communicate(timeout=300)
        self.check_no_leftovers()
        return process

    def check_no_leftovers(self):
        assert list(self.temporary.iterdir()) == []
        assert list(self.home.iterdir()) == []
        running = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = process.read_bytes()
            except OSError:
                continue
            if str(self.temporary).encode() in command:
                running.append(command)
        assert running == []


@pytest.fixture
def terminal(tmp_path):
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.temporary.rmdir()


def chunks(file):
    data, at = file.read_bytes(), 8
    assert data[:8] == b"\x89PNG\r\n\x1a\n", file
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        yield name, data[at + 8 : at + 8 + length]
        at += 12 + length


def size(file):
    """Width and height in pixels."""
    head = next(body for name, body in chunks(file) if name == b"IHDR")
    return struct.unpack(">II", head[:8])


def is_blank(file):
    """Whether the picture has only one color: its data has few different bytes."""
    packed = b"".join(body for name, body in chunks(file) if name == b"IDAT")
    return len(set(zlib.decompress(packed))) < 16


def pictures(folder):
    files = (str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    return sorted(file for file in files if file != "pictures.json")


@pytest.mark.parametrize("app, appearances", [(SMALL, []), ("wall", ["light", "dark"])])
def test_every_reachable_state_has_a_picture(foyer, terminal, tmp_path, app, appearances):
    out = tmp_path / "deep" / "out"
    result = terminal.run(
        *("--app", app, "--out", out, *(["--appearance", "both"] if appearances else [])),
        CHROMIUM=SHELL if appearances else None,
    )
    assert result.returncode == 0, result.errors
    all_states = states(foyer, app)
    unreachable = [
        "/".join(names) for names in re.findall(rf"^  {app} (\S+) (\S+): .+", result.output, re.M)
    ]
    assert unreachable == UNREACHABLE[app]
    named = [state.replace("/", "-") + ".png" for state in all_states if state not in unreachable]
    files = [os.path.join(appearance, name) for appearance in appearances or [""] for name in named]
    assert pictures(out) == sorted(files)
    for name in files:
        assert size(out / name) == (786, 1704), name
        assert not is_blank(out / name), name
    for name in named if appearances else []:
        light, dark = [(out / appearance / name).read_bytes() for appearance in appearances]
        assert light != dark, name
    assert result.output.startswith(
        f"{len(files)} screenshots in {out}, of {len(all_states)} states\n"
    )
    # Each state was reported on stderr as it was finished.
    assert len(result.errors.splitlines()) == len(files) + len(unreachable)


def test_each_of_several_sizes_has_its_own_folder(terminal, tmp_path):
    out = tmp_path / "out"
    result = terminal.run(f"--app={SMALL}", "--out", out, "--size", "ipad,iphonese", "--scale", "1")
    assert result.returncode == 0, result.errors
    assert size(out / "iphonese/map-default.png") == (375, 667)
    assert size(out / "ipad/map-default.png") == (820, 1180)


def test_a_second_run_replaces_the_pictures_of_the_first(foyer, terminal, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    names = [
        state.replace("/", "-") + ".png"
        for state in states(foyer, SMALL)
        if state not in UNREACHABLE[SMALL]
    ]
    for name in names:
        (out / name).write_bytes(b"of the first run")
    (out / "mine.txt").write_text("kept")
    result = terminal.run("--app", SMALL, "--out", out, "--scale", "1")
    assert result.returncode == 0
    assert pictures(out) == sorted(names + ["mine.txt"])
    assert {size(out / name) for name in names} == {(393, 852)}


def test_a_broken_template_affects_no_other_state(terminal, tmp_path):
    root = tmp_path / "root"
    for folder in ("templates", "Public"):
        shutil.copytree(ROOT / folder, root / folder)
    template = root / f"templates/apps/{SMALL}/map.mustache"
    assert template.exists()
    template.write_text("{{#broken}}")
    out = tmp_path / "out"
    # A picture of an earlier run must not stay for a state that is broken now.
    out.mkdir(exist_ok=True)
    (out / "map-default.png").write_bytes(b"old")
    result = terminal.run("--app", SMALL, "--out", out, "--root", root)
    assert result.returncode == 1
    assert "failed, 1:" in result.output
    assert "map.mustache" in result.output
    assert "map-default.png" not in pictures(out)
    assert "settings-default.png" in pictures(out)


def test_pictures_are_compared_with_earlier_ones(terminal, tmp_path):
    root, before, after = tmp_path / "root", tmp_path / "before", tmp_path / "after"
    for folder in ("templates", "Public"):
        shutil.copytree(ROOT / folder, root / folder)
    taken = terminal.run("--app", SMALL, "--out", before, "--size", "iphonese", "--root", root)
    assert taken.returncode == 0, taken.errors
    # With the options of the earlier pictures, nothing differs.
    same = terminal.run("--against", before, "--root", root)
    count = len(UNREACHABLE[SMALL])
    assert (same.returncode, same.errors.count(": unreachable")) == (0, count), same.output
    assert re.search(r"compared with .*: \d+ unchanged$", same.output.strip())

    sheet = root / f"Public/apps/{SMALL}/app.css"
    sheet.write_text(sheet.read_text() + ".screen-map main { opacity: .5 }")
    (before / "settings-default.png").unlink()
    shutil.copy(before / "map-default.png", before / "lost-default.png")
    shutil.copy(before / "splash-offline.png", before / "map-default.png")
    result = terminal.run("--against", before, "--out", after, "--root", root)
    assert result.returncode == 1
    lines = [line.strip() for line in result.output.splitlines()]
    assert any(
        re.fullmatch(rf"different: {SMALL} map-default: [\d,]+ pixels, [\d.]+ %", line)
        for line in lines
    ), result.output
    assert f"new: {SMALL} settings-default" in lines
    assert f"gone: {SMALL} lost-default" in lines
    assert size(after / "differences/map-default.png") == (750, 1334)
    report = (after / "report.html").read_text()
    assert "data:image/png;base64," in report
    assert 'src="/' not in report and 'href="/' not in report

    errors = [
        (["--against", before, "--out", before], "use another folder"),
        (["--against", before, "--size", "ipad"], "no picture of these apps at this size"),
        (["--against", tmp_path / "none"], "is not a readable folder"),
    ]
    for arguments, message in errors:
        result = terminal.run(*arguments, "--root", root)
        assert result.returncode == 2
        assert message in result.errors.splitlines()[-1]


def test_a_full_length_picture_shows_all_of_a_screen(foyer, browsers, tmp_path):
    page = browsers.device(foyer)
    path = "/storyboard/bob/register/default/picture?size=iphonese&text=accessibilityLarge"
    for query, fits in (("", True), ("&fullLength=1", False)):
        response = page.request.get(foyer.base + path + query)
        assert response.headers["content-type"] == "image/png"
        file = tmp_path / "picture.png"
        file.write_bytes(response.body())
        width, height = size(file)
        assert width == 750
        assert (height == 1334) == fits
        assert height >= 1334


def test_an_error_is_one_line_that_suggests_a_fix(terminal, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    broken_chromium = tmp_path / "silent"
    broken_chromium.write_text("#!/bin/sh\necho 'no display' >&2\nexit 3\n")
    broken_chromium.chmod(0o755)
    out = tmp_path / "out"
    for arguments, variables, message in [
        (["--out", out], {"PATH": "", "CHROMIUM": None}, "apt-get install chromium"),
        (["--out", out, "--app", "nobody"], {}, "valid values: mystica, "),
        (["--out", file, "--app", SMALL], {}, "is a file"),
        (["--out", file / "x", "--app", SMALL], {}, "use another folder with --out"),
        (["--out", out, "--app", SMALL], {"CHROMIUM": str(broken_chromium)}, "no display"),
        (["--out", out, "--app", SMALL, "--chromium", file], {}, "is not executable"),
        (["--app", SMALL], {}, "needs --out DIR"),
    ]:
        result = terminal.run(*arguments, **variables)
        assert result.returncode == 2, arguments
        assert result.output == ""
        assert len(result.errors.splitlines()) == 1, result.errors
        assert message in result.errors
        assert not out.exists() or pictures(out) == []
    assert file.read_text() == ""


def test_an_interrupt_leaves_nothing_behind(terminal, tmp_path):
    process = terminal.start("--out", tmp_path / "out")
    # With the first picture all parts of the command are running.
    assert process.stderr.readline().endswith(".png\n")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    terminal.check_no_leftovers()
