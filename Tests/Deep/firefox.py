"""A client of Marionette, the remote control protocol of Firefox.

Each message is JSON prefixed with its length, over TCP. The commands are those of WebDriver
(https://www.w3.org/TR/webdriver2/). Playwright is not used because it only drives a Firefox
of its own.
"""

import json
import os
import re
import socket
import subprocess
import threading

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Seconds. Long, so that no test fails on a busy machine.
TIMEOUT = 20


class Firefox:
    """A browser with its own profile."""

    def __init__(self, profile):
        profile.mkdir(parents=True)
        (profile / "user.js").write_text('user_pref("marionette.port", 0);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile],
            env={**os.environ, "HOME": str(profile), "MOZ_LOG": ""},
            stdout=subprocess.DEVNULL,
            stderr=open(profile / "stderr.log", "wb"),  # noqa: SIM115
        )
        port = self.wait_for_port(profile / "MarionetteActivePort")
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=90)
        self.stream = self.socket.makefile("rb")
        self.message_count = 0
        self.receive()
        self.execute("NewSession")
        self.execute("SetTimeouts", implicit=TIMEOUT * 1000)

    def wait_for_port(self, file):
        """Waits until Firefox listens and returns the port that it chose."""
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

    def execute(self, command, **parameters):
        """Executes a WebDriver command and returns its result."""
        self.message_count += 1
        message = json.dumps([0, self.message_count, f"WebDriver:{command}", parameters]).encode()
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
        self.execute("Navigate", url=url)

    def find(self, selector):
        """Waits for the first element that matches."""
        return self.execute("FindElement", using="css selector", value=selector)[ELEMENT]

    def find_test_id(self, name):
        return self.find(f"[data-testid='{name}']")

    def click(self, name):
        """Scrolls an element to the center, where no fixed bar covers it, and clicks it."""
        element = self.find_test_id(name)
        self.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        self.execute("ElementClick", id=element)

    def fill(self, screen, **fields):
        for name, text in fields.items():
            field = self.find_test_id(f"{screen}.{name}")
            self.execute("ElementClear", id=field)
            self.execute("ElementSendKeys", id=field, text=text)

    def check(self, name):
        """Checks a checkbox by script, because styled elements may cover it."""
        self.execute_script("arguments[0].checked || arguments[0].click()", self.find_test_id(name))

    def execute_script(self, script, *elements):
        return self.execute("ExecuteScript", script=script, args=[{ELEMENT: e} for e in elements])

    def wait_for_screen(self, screen):
        """Waits until a screen is shown and its scripts are loaded."""
        self.find(f"body[data-screen='{screen}']")
        self.wait_until("return document.readyState", "complete")

    def text(self, name):
        return self.execute("GetElementText", id=self.find_test_id(name))

    def wait_until(self, script, pattern):
        """Waits until the script's result matches the pattern."""
        result = None
        for _ in range(TIMEOUT * 20):
            result = str(self.execute_script(script))
            if re.search(pattern, result):
                return
            threading.Event().wait(0.05)
        page = self.execute_script("return [location.href, document.body.innerText.slice(0, 400)]")
        raise AssertionError(f"{script}: {result!r} does not match {pattern!r} on {page}")

    def wait_for_text(self, selector, pattern):
        """Waits until the text of the first matching element matches the pattern."""
        self.wait_until(
            f"return document.querySelector({json.dumps(selector)})?.textContent ?? ''", pattern
        )
