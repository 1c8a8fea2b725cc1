"""`foyer storyboard`: every state of an app as a picture, and nothing left."""

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
from test_tiles import BEYOND, states

# Small, and every state of it is reached.
SMALL = "mystica-instant"
# The quicker browser, where none is asked for; None is what people have.
SHELL = shutil.which("chromium-headless-shell")


class Terminal:
    """Runs the command; nothing of the caller's is heeded or touched."""

    def __init__(self, folder):
        # A path as short as the usual one; a longer one is not used.
        self.temporary = Path(tempfile.mkdtemp(dir="/tmp", prefix="pics-"))
        self.home = folder / "home"
        self.home.mkdir()

    def start(self, *words, **variables):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("FOYER_")}
        own = {"TMPDIR": str(self.temporary), "HOME": str(self.home), "CHROMIUM": SHELL}
        return subprocess.Popen(
            [binary(), "storyboard", *map(str, words)],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={k: v for k, v in {**kept, **own, **variables}.items() if v is not None},
        )

    def run(self, *words, **variables):
        process = self.start(*words, **variables)
        process.output, process.errors = process.communicate(timeout=300)
        self.check_nothing_is_left()
        return process

    def check_nothing_is_left(self):
        assert list(self.temporary.iterdir()) == []
        assert list(self.home.iterdir()) == []
        running = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = process.read_bytes()
            except OSError:
                continue
            if str(self.temporary).encode() in words:
                running.append(words)
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
    """A picture of one colour is made of few different bytes."""
    packed = b"".join(body for name, body in chunks(file) if name == b"IDAT")
    return len(set(zlib.decompress(packed))) < 16


def pictures(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("app, looks", [(SMALL, []), ("wall", ["light", "dark"])])
def test_every_state_that_is_reached_has_its_picture(foyer, terminal, tmp_path, app, looks):
    out = tmp_path / "deep" / "out"
    ended = terminal.run(
        *("--app", app, "--out", out, *(["--appearance", "both"] if looks else [])),
        CHROMIUM=SHELL if looks else None,
    )
    assert ended.returncode == 0, ended.errors
    wanted = states(foyer, app)
    lost = [
        "/".join(names) for names in re.findall(rf"^  {app} (\S+) (\S+): .+", ended.output, re.M)
    ]
    assert lost == BEYOND[app]
    named = [state.replace("/", "-") + ".png" for state in wanted if state not in lost]
    files = [os.path.join(look, name) for look in looks or [""] for name in named]
    assert pictures(out) == sorted(files)
    for name in files:
        assert size(out / name) == (780, 1688), name
        assert not is_blank(out / name), name
    for name in named if looks else []:
        light, dark = [(out / look / name).read_bytes() for look in looks]
        assert light != dark, name
    assert ended.output.startswith(f"{len(files)} pictures in {out}, of {len(wanted)} states\n")
    # Each was told as it came.
    assert len(ended.errors.splitlines()) == len(files) + len(lost)


def test_several_sizes_have_a_folder_each(terminal, tmp_path):
    out = tmp_path / "out"
    ended = terminal.run(f"--app={SMALL}", "--out", out, "--size", "ipad,iphonese", "--scale", "1")
    assert ended.returncode == 0, ended.errors
    assert size(out / "iphonese/map-default.png") == (375, 667)
    assert size(out / "ipad/map-default.png") == (820, 1180)


def test_a_second_run_puts_its_pictures_in_place_of_the_first(terminal, tmp_path):
    out = tmp_path / "out"
    assert terminal.run("--app", SMALL, "--out", out).returncode == 0
    names = pictures(out)
    (out / "map-default.png").write_bytes(b"old")
    (out / "mine.txt").write_text("kept")
    ended = terminal.run("--app", SMALL, "--out", out, "--scale", "1")
    assert ended.returncode == 0
    assert pictures(out) == sorted(names + ["mine.txt"])
    assert {size(out / name) for name in names} == {(390, 844)}


def test_a_broken_template_harms_no_other_state(terminal, tmp_path):
    root = tmp_path / "root"
    for folder in ("templates", "Public"):
        shutil.copytree(ROOT / folder, root / folder)
    template = root / f"templates/apps/{SMALL}/map.mustache"
    assert template.exists()
    template.write_text("{{#broken}}")
    out = tmp_path / "out"
    # A picture of an earlier run would be one from memory.
    out.mkdir(exist_ok=True)
    (out / "map-default.png").write_bytes(b"old")
    ended = terminal.run("--app", SMALL, "--out", out, "--root", root)
    assert ended.returncode == 1
    assert "failed, 1:" in ended.output
    assert "map.mustache" in ended.output
    assert "map-default.png" not in pictures(out)
    assert "settings-default.png" in pictures(out)


def test_what_goes_wrong_is_one_line_that_tells_how_to_mend_it(terminal, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\necho 'no display' >&2\nexit 3\n")
    silent.chmod(0o755)
    out = tmp_path / "out"
    for words, variables, told in [
        (["--out", out], {"PATH": "", "CHROMIUM": None}, "apt-get install chromium"),
        (["--out", out, "--app", "nobody"], {}, "there are mystica, "),
        (["--out", file, "--app", SMALL], {}, "is a file"),
        (["--out", file / "x", "--app", SMALL], {}, "give --out another"),
        (["--out", out, "--app", SMALL], {"CHROMIUM": str(silent)}, "no display"),
        (["--out", out, "--app", SMALL, "--chromium", file], {}, "is no program"),
    ]:
        ended = terminal.run(*words, **variables)
        assert ended.returncode == 2, words
        assert ended.output == ""
        assert len(ended.errors.splitlines()) == 1, ended.errors
        assert told in ended.errors
        assert not out.exists() or pictures(out) == []
    assert file.read_text() == ""


def test_an_interrupt_leaves_nothing_behind(terminal, tmp_path):
    process = terminal.start("--out", tmp_path / "out")
    # The first picture; then everything is under way.
    assert process.stderr.readline().endswith(".png\n")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    terminal.check_nothing_is_left()
