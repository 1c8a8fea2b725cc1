"""A request copied as a command or program sends the recorded request again."""

import shutil
import subprocess
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import acting
import pytest

NASTY = [
    "plain",
    'it\'s "quoted" and `ticks`',
    "back\\slash \\n \\u0041 \\(x) $HOME ${x} #{y} %s !! !x",
    "two\nlines\r\nand\ttabs",
    "Größe 漢字 🙂",
    "@file",
    "'''\"\"\"",
    "-d",
    '{"a":"it\'s"}',
]


@pytest.fixture(scope="module")
def echo():
    """A server that keeps the requests it receives."""
    received = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            received.append((self.command, self.path, self.headers, body))
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        do_POST = do_PUT = do_GET = answer

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", received
    server.shutdown()


def entry(url, text):
    return {
        "startedDateTime": "2026-11-20T10:00:00.000Z",
        "time": 1,
        "request": {
            "method": "PUT",
            "url": url,
            "headers": [
                {"name": "Content-Type", "value": "text/plain"},
                {"name": "X-Nasty", "value": 'it\'s "q" \\ $HOME !x; =a'},
                {"name": "X-Equals", "value": "=@x"},
            ],
            "postData": {"mimeType": "text/plain", "text": text},
        },
        "response": {
            "status": 200,
            "headers": [],
            "content": {"mimeType": "text/plain", "text": "ok"},
        },
        "timings": {"wait": 1, "receive": 0},
    }


def text_of(foyer, path):
    headers = {"Authorization": f"Bearer {foyer.key}"}
    with urllib.request.urlopen(urllib.request.Request(foyer.base + path, headers=headers)) as r:
        return r.read().decode()


def http_command():
    return shutil.which("http") or shutil.which("http", path=str(Path(sys.executable).parent))


RUNNERS = {
    "curl": ["bash", "-c"],
    "fetch": ["node", "--input-type=module", "-e"],
    "requests": [sys.executable, "-c"],
    "httpie": ["bash", "-c"],
}


@pytest.mark.parametrize("code", RUNNERS)
def test_a_copied_request_arrives_as_it_was_recorded(foyer, echo, code):
    base, received = echo
    program = "http" if code == "httpie" else RUNNERS[code][0]
    if not (http_command() if program == "http" else shutil.which(program)):
        pytest.skip(f"{program} is not installed")
    url = f"{base}/a/%C3%BC?ids[]=1&q=%27%22$x"
    har = {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}}}
    har["log"]["entries"] = [entry(url, text) for text in NASTY]
    ids = foyer.api("POST", "/api/exchanges/import", har)["exchanges"]
    for exchange, text in zip(ids, NASTY, strict=True):
        source = text_of(foyer, f"/api/exchanges/{exchange}?format={code}")
        received.clear()
        command = http_command()
        if code == "httpie":
            source = f'http() {{ "{command}" "$@"; }}\n' + source
        run = subprocess.run(
            [*RUNNERS[code], source], capture_output=True, timeout=60, stdin=subprocess.DEVNULL
        )
        assert run.returncode == 0, (source, run.stderr.decode())
        method, path, headers, body = received[-1]
        assert method == "PUT", source
        assert path.replace("%5B%5D", "[]") in (
            "/a/%C3%BC?ids[]=1&q=%27%22$x",
            "/a/%C3%BC?ids[]=1&q='%22$x",
        ), source
        assert body == text.encode(), source
        assert headers["X-Nasty"] == 'it\'s "q" \\ $HOME !x; =a', source
        assert headers["X-Equals"] == "=@x", source
        assert headers["Content-Type"] == "text/plain", source


def test_the_menu_copies_and_without_scripts_shows_each_language(browsers, foyer, person):

    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    exchange = acting.exchanges(foyer, device, "login")[0]["id"]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{foyer.base}/traffic/{exchange}")
    page.get_by_test_id("exchange.copy").click()
    page.get_by_test_id("exchange.copy.fetch").click()
    page.get_by_role("status").filter(has_text="Copied as fetch").wait_for()
    for code in ["curl", "fetch", "urlsession", "requests", "httpie"]:
        text = page.request.get(f"{foyer.base}/traffic/{exchange}/{code}").text()
        assert "/auth/login" in text, code
