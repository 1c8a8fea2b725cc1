"""A foyer process: its start and end, its addresses, its key and its API."""

import http.cookiejar
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "Public"))

from clients import foyer as client

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(os.environ.get("FOYER_TEST_RESULTS", ROOT / "Tests/.results"))

# The prefix of every password in a test, so that one search finds all of them.
MARK = "Zq7xGeheim"


def binary():
    """The executable under test: FOYER_BINARY, or the debug build.

    A debug build older than the sources is an error: it would not test them.
    """
    if "FOYER_BINARY" in os.environ:
        return os.environ["FOYER_BINARY"]
    built = ROOT / ".build/debug/foyer"
    newest = max((ROOT / "Sources").rglob("*.*"), key=lambda file: file.stat().st_mtime)
    if not built.exists() or built.stat().st_mtime < newest.stat().st_mtime:
        raise RuntimeError(
            f"{built} is missing, or older than {newest.relative_to(ROOT)}: "
            "run swift build, or Tests/run --only PATTERN, which does."
        )
    return str(built)


class Foyer(client.Foyer):
    """One process with its own data folder, on free ports, and its client."""

    def __init__(self, name, arguments=(), home=None, environment=None):
        self.home = home or RESULTS / "servers" / name
        # A long name, as in a home directory: pages that show it must wrap it.
        self.data = self.home / "data-folder-with-a-name-that-is-wider-than-a-phone"
        self.home.mkdir(parents=True, exist_ok=True)
        self.arguments = list(arguments)
        self.environment = environment or {}
        self.tokens = set()
        self.start()

    def start(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("FOYER_")}
        environment |= self.environment
        self.errors = open(self.home / "stderr.log", "ab")  # noqa: SIM115
        self.log = open(self.home / "stdout.log", "a")  # noqa: SIM115
        self.process = subprocess.Popen(
            [
                binary(),
                "--port",
                "0",
                "--backend-port",
                "0",
                "--data",
                str(self.data),
                "--password-cost",
                "1",
                *self.arguments,
            ],
            cwd=ROOT,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        lines = queue.Queue()
        threading.Thread(target=self._drain, args=(self.process.stdout, lines), daemon=True).start()
        self.base = self.backend = self.key = None
        while not (self.base and self.backend):
            line = lines.get(timeout=60)
            if line is None:
                raise RuntimeError(
                    f"foyer ended with {self.process.wait()}: "
                    + (self.home / "stderr.log").read_text()
                )
            if match := re.match(r"Foyer: (http://\S+?)/(?:\?key=(\S+))?$", line):
                self.base, self.key = match[1], match[2]
            if match := re.match(r"embedded backend: (http://\S+)", line):
                self.backend = match[1]
        super().__init__(self.base, self.key)

    def _drain(self, stream, lines):
        for line in stream:
            # Foyer prints the key on purpose, once. It is no backend's secret, and the log leaves
            # it out so that the search for secrets need not know it.
            self.log.write(re.sub(r"key=\S+", "key=…", line))
            self.log.flush()
            lines.put(line.rstrip("\n"))
        lines.put(None)

    @property
    def entrance(self):
        return f"{self.base}/?key={self.key}"

    def key_cookie(self):
        """The cookie of a browser that has opened the address with the key."""
        jar = http.cookiejar.CookieJar()
        urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar)).open(
            self.entrance, timeout=30
        ).close()
        key = next(c for c in jar if c.name.startswith("foyer_key_"))
        return {"name": key.name, "value": key.value, "url": self.base}

    def device_cookie(self, device=None):
        """The cookie of a device's browser; of a new device, if none is given."""
        cookie = (device or self.devices.create())["cookies"][0]
        return {"name": cookie["name"], "value": cookie["value"], "url": self.base}

    def api(self, method, path, body=None, device=None, timeout=30):
        """A request on behalf of a device."""
        caller = client.Foyer(self.base, self.key, device=device)
        return caller.request(method, path, body, timeout=timeout)

    def submit(self, path, fields, device):
        """Submits a form of a screen without opening its page."""
        request = urllib.request.Request(
            self.base + path,
            urllib.parse.urlencode(fields).encode(),
            {"Authorization": f"Bearer {self.key}", "X-Foyer-Device": device},
        )
        urllib.request.urlopen(request, timeout=30).close()

    def mail(self, to, purpose="verify", since=None):
        """Waits for a mail."""
        return self.mailbox.wait(to, purpose=purpose, since=since)

    def account(self, email, password, app="mystica", verified=True):
        """Registers with the embedded backend directly, without the console."""
        self._post(
            f"{self.backend}/main/{app}/api/v1/auth/register",
            {"email": email, "password": password},
        )
        if verified:
            link = self.mail(email)["link"]
            urllib.request.urlopen(link, timeout=30).read()

    def _post(self, url, body):
        request = urllib.request.Request(
            url, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read() or b"null")

    def remember_tokens(self):
        """Saves the unmasked tokens of all devices, for the search at the end of the run."""
        try:
            devices = self.devices.all()
        except OSError:
            return
        apps = [app["id"] for app in self.items("/api/apps")]
        for app in [self.app(app, device["id"]) for device in devices for app in apps]:
            try:
                keys = [item["key"] for item in app.state()["storage"]]
                self.tokens.update(app.storage.get(key) for key in keys if "token" in key.lower())
            except client.FoyerError:
                continue
        with open(self.home / "tokens.json", "w") as file:
            json.dump(sorted(self.tokens), file)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Terminates the process and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
