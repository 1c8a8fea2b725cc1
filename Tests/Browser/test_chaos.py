"""Kills, restarts and trouble on purpose, at random but always the same.

Whatever was acknowledged is there after every kill, and no session shows a
state that nobody brought about.
"""

import http.client
import json
import random
import signal
import threading
import urllib.error
import urllib.parse

from foyer import MARK

ROUNDS = 6
DEVICES = 4
# Acts of one device between two kills.
ACTS = 12
# Nobody signs in to this app: its storage is written by hand alone.
KEY = "userEmail"
TROUBLE = [
    {"kind": "offline", "times": 2},
    {"kind": "status", "status": 503, "times": 2},
    {"kind": "reset", "phase": "after", "times": 1},
    {"kind": "accessTokenExpired", "times": 1},
]


class Unanswered(Exception):
    """The server went away: whether the act was done, nobody was told."""


class Phone:
    """A device, what it was told, and what it cannot know."""

    def __init__(self, foyer, number):
        self.foyer = foyer
        self.email = f"chaos{number}@example.com"
        self.password = f"{MARK}-chaos-{number}"
        foyer.account(self.email, self.password)
        self.device = foyer.api("POST", "/api/devices", {})["id"]
        self.place = f"/api/devices/{self.device}/apps/mystica"
        self.drawer = f"/api/devices/{self.device}/apps/wall"
        self.failure = None
        # What may be stored: the last that was acknowledged, and what was on
        # its way when the server went.
        self.values = {None}
        self.sessions = set()
        self.mayBeIn = {False}

    def ask(self, method, path, body=None, form=None):
        host = urllib.parse.urlsplit(self.foyer.base).netloc
        headers = {"Authorization": f"Bearer {self.foyer.key}", "X-Foyer-Device": self.device}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        if form is not None:
            data = urllib.parse.urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection(host, timeout=60)
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as gone:
            raise Unanswered from gone
        finally:
            connection.close()

    def situation(self):
        status, text = self.ask("GET", self.place)
        assert status == 200, text
        return json.loads(text)

    def write(self, value):
        self.values.add(value)
        status, text = self.ask("PUT", f"{self.drawer}/storage/{KEY}", {"value": value})
        assert status in (200, 204), text
        self.values = {value}

    def sign_in(self):
        # A token that ended, or an answer lost, may throw one out as well.
        self.mayBeIn = {True, False}
        self.ask("POST", f"{self.place}/relaunch", {})
        self.ask("GET", "/apps/mystica/login")
        self.ask(
            "POST",
            "/apps/mystica/login/submit",
            form={"email": self.email, "password": self.password},
        )
        self.notice(self.situation())

    def forget(self):
        self.mayBeIn.add(False)
        status, text = self.ask("DELETE", f"{self.place}/storage")
        assert status in (200, 204), text
        self.notice(self.situation())

    def notice(self, situation):
        """A page's or an answer's word for it counts."""
        session = situation["session"]
        self.mayBeIn = {bool(session and session["state"] == "active")}
        if session:
            self.sessions.add(session["id"])

    def act(self, chance):
        try:
            self.play(chance)
        except Unanswered:
            pass
        except Exception as failure:
            self.failure = failure

    def play(self, chance):
        for number in range(ACTS):
            pick = chance.random()
            if pick < 0.4:
                self.write(f"{chance.random()}-{number}")
            elif pick < 0.8:
                self.sign_in()
            else:
                self.forget()

    def check(self):
        """After a restart, before anything else is done."""
        if self.failure:
            raise self.failure
        situation = self.situation()
        status, text = self.ask("GET", f"{self.drawer}/storage/{KEY}")
        value = json.loads(text)["value"] if status == 200 else None
        assert value in self.values, (value, self.values)
        session = situation["session"]
        isIn = bool(session and session["state"] == "active")
        assert isIn in self.mayBeIn, (isIn, self.mayBeIn, session)
        _, text = self.ask("GET", f"/api/sessions?device={self.device}&limit=500")
        kept = {s["id"]: s for s in json.loads(text)["items"]}
        assert self.sessions <= set(kept)
        lasting = [s for s in kept.values() if s["state"] == "active"]
        assert len(lasting) <= 1
        self.values = {value}
        self.mayBeIn = {isIn}
        self.sessions |= set(kept)


def test_nothing_acknowledged_is_lost_and_nothing_is_made_up(fresh_foyer):
    foyer = fresh_foyer
    chance = random.Random(20261121)
    phones = [Phone(foyer, number) for number in range(DEVICES)]
    people = {phone.email for phone in phones}
    for round_ in range(ROUNDS):
        threads = [
            threading.Thread(target=phone.act, args=(random.Random(chance.random()),))
            for phone in phones
        ]
        for thread in threads:
            thread.start()
        try:
            foyer.api("POST", "/api/conditions", chance.choice(TROUBLE))
            email = f"made{round_}@example.com"
            foyer.api(
                "POST",
                "/api/accounts",
                {"app": "mystica", "email": email, "password": f"{MARK}-made-{round_}"},
            )
            people.add(email)
            foyer.api("PATCH", "/api/clock", {"advance": 30})
        finally:
            # In the middle of whatever is under way.
            threads[chance.randrange(DEVICES)].join(chance.random())
            foyer.process.send_signal(signal.SIGKILL)
            foyer.process.wait()
            for thread in threads:
                thread.join()
        foyer.start()
        for phone in phones:
            phone.check()
        known = foyer.api("GET", "/api/accounts?app=mystica&limit=500")
        assert people <= {person["email"] for person in known["items"]}
        foyer.api("DELETE", "/api/conditions")
    clock = foyer.api("GET", "/api/clock")
    assert clock["offset"] == 30 * ROUNDS
