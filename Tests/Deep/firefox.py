"""Firefox, driven by the protocol it speaks itself: Marionette.

Each message is JSON with its length before it, over TCP; the commands are those
of WebDriver (https://www.w3.org/TR/webdriver2/). Playwright drives no Firefox
but its own.
"""

import json
import os
import re
import socket
import subprocess
import threading

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# A busy machine is no defect.
PATIENCE = 20


class Firefox:
    """One browser, with a profile of its own."""

    def __init__(self, profile):
        profile.mkdir(parents=True)
        (profile / "user.js").write_text('user_pref("marionette.port", 0);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile],
            env={**os.environ, "HOME": str(profile), "MOZ_LOG": ""},
            stdout=subprocess.DEVNULL,
            stderr=open(profile / "stderr.log", "wb"),  # noqa: SIM115
        )
        port = self.port(profile / "MarionetteActivePort")
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=90)
        self.stream = self.socket.makefile("rb")
        self.count = 0
        self.receive()
        self.do("NewSession")
        self.do("SetTimeouts", implicit=PATIENCE * 1000)

    def port(self, file):
        """The port it chose, once it listens there."""
        for _ in range(600):
            if file.exists() and file.read_text().strip():
                return int(file.read_text())
            assert self.process.poll() is None, "Firefox ended"
            threading.Event().wait(0.1)
        raise TimeoutError("Firefox does not listen")

    def receive(self):
        digits = b""
        while (byte := self.stream.read(1)) != b":":
            assert byte, "Firefox closed the connection"
            digits += byte
        return json.loads(self.stream.read(int(digits)))

    def do(self, command, **parameters):
        """What a WebDriver command returns."""
        self.count += 1
        message = json.dumps([0, self.count, f"WebDriver:{command}", parameters]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self.receive()
        if error:
            raise AssertionError(f"{command} {parameters}: {error['error']}: {error['message']}")
        return result["value"] if set(result) == {"value"} else result

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(30)

    # MARK: a page

    def open(self, url):
        self.do("Navigate", url=url)

    def find(self, selector):
        """The first that fits, as soon as there is one."""
        return self.do("FindElement", using="css selector", value=selector)[ELEMENT]

    def test_id(self, name):
        return self.find(f"[data-testid='{name}']")

    def press(self, name):
        """Clicks it; bars that stay at an edge of the screen would cover it there."""
        element = self.test_id(name)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        self.do("ElementClick", id=element)

    def fill(self, screen, **fields):
        for name, text in fields.items():
            field = self.test_id(f"{screen}.{name}")
            self.do("ElementClear", id=field)
            self.do("ElementSendKeys", id=field, text=text)

    def check(self, name):
        """Ticks a box, which may lie below what is drawn for it."""
        self.run("arguments[0].checked || arguments[0].click()", self.test_id(name))

    def run(self, script, *elements):
        return self.do("ExecuteScript", script=script, args=[{ELEMENT: e} for e in elements])

    def arrive(self, screen):
        """Until this screen is shown, with its scripts."""
        self.find(f"body[data-screen='{screen}']")
        self.until("return document.readyState", "complete")

    def text(self, name):
        return self.do("GetElementText", id=self.test_id(name))

    def until(self, script, pattern):
        """Until what the script returns fits the pattern."""
        found = None
        for _ in range(PATIENCE * 20):
            found = str(self.run(script))
            if re.search(pattern, found):
                return
            threading.Event().wait(0.05)
        page = self.run("return [location.href, document.body.innerText.slice(0, 400)]")
        raise AssertionError(f"{script}: {found!r} does not fit {pattern!r} on {page}")

    def shows(self, selector, pattern):
        """Until the text of the first that fits fits the pattern."""
        self.until(
            f"return document.querySelector({json.dumps(selector)})?.textContent ?? ''", pattern
        )
