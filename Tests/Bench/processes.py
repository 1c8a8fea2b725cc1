"""Starts and ends processes: the console under test, and the servers it is compared with."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
started = []
PASSWORD = "Zq7xGeheim-bench"


def descendants(process):
    """The ids of a process and of all processes that it started."""
    found, pending = [], [process.pid]
    while pending:
        pid = pending.pop()
        try:
            pending += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            continue
        found.append(pid)
    return found


def cpu_seconds(process):
    """The user and system time of a process and its descendants; 0 without a process."""
    ticks = 0
    for pid in descendants(process) if process else []:
        # The fields after the name, which is in parentheses: utime and stime are 14 and 15.
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def resident(process):
    """The resident memory of a process and its descendants in MB."""
    total = 0
    for pid in descendants(process):
        status = Path(f"/proc/{pid}/status").read_text()
        total += int(re.search(r"VmRSS:\s+(\d+)", status)[1])
    return total / 1024


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def spawn(*words, **more):
    process = subprocess.Popen(
        words, **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more}
    )
    started.append(process)
    return process


def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_for_port(port, timeout=30):
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.005)
    return False


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects."""

    def redirect_request(self, *_):
        return None


class Foyer:
    def __init__(self, data, *more):
        self.port = free_port()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("FOYER")}
        self.started_at = time.monotonic()
        self.process = spawn(
            os.environ["FOYER"],
            "--port",
            str(self.port),
            "--backend-port",
            "0",
            "--data",
            str(data),
            *more,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).read()
                break
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None:
                    raise SystemExit("foyer did not start") from None
        self.startup_time = (time.monotonic() - self.started_at) * 1000
        line = self.process.stdout.readline()
        self.key = re.search(r"key=(\S+)", line)[1]
        self.base = f"http://127.0.0.1:{self.port}"

    def open(self, method, path, body=None, form=None, device=None):
        headers = {"Authorization": f"Bearer {self.key}"}
        if device:
            headers["X-Foyer-Device"] = device
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        if form is not None:
            data = form.encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.build_opener(NoRedirects).open(request) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            if error.code == 303:
                return 303, error.headers, b""
            raise

    def json(self, method, path, body=None, device=None):
        return json.loads(self.open(method, path, body, device=device)[2])

    def device(self, upstream=None):
        """Creates a device with Mystica on the login screen."""
        created = self.json("POST", "/api/devices", {})
        path = f"/api/devices/{created['id']}/apps/mystica"
        if upstream:
            self.json("PATCH", path, {"backend": "local", "base": upstream})
        self.json("POST", path + "/relaunch")
        return created

    def register(self, device, name):
        """Registers a person with Mystica on a device."""
        self.open(
            "POST",
            "/apps/mystica/register/submit",
            device=device,
            form=f"email={name}%40example.com&password={PASSWORD}",
        )

    def page_headers(self):
        """The headers of a browser: the cookies of its key and its device."""
        request = urllib.request.Request(
            f"{self.base}/?key={self.key}", headers={"Sec-Fetch-Site": "none"}
        )
        try:
            urllib.request.build_opener(NoRedirects).open(request)
            raise SystemExit("the key was not exchanged for a cookie")
        except urllib.error.HTTPError as error:
            cookie = error.headers["Set-Cookie"].split(";")[0]
        device = self.device()["cookies"][0]
        return [
            f"Cookie: {cookie}; {device['name']}={device['value']}",
            "Sec-Fetch-Site: same-origin",
        ]

    def exchanges(self):
        # The number of exchanges ever recorded. Only the newest 5,000 are stored, so that the total
        # is constant then. The cursor of a page of one is the sequence number of the newest.
        return int(self.json("GET", "/api/exchanges?limit=1")["next"] or 0)
