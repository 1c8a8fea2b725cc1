"""The stand-ins for the apps' servers respond as in the contracts' transcripts.

The embedded backend is tested with the same transcripts, so a browser test with a stand-in shows
what it would show with the embedded backend. Each stand-in is tested with the transcripts of the
requests that browser tests send to it. A story is a list of transcripts that run in order, with the
tokens of the earlier ones. Values that differ between runs (tokens, ids, times) are compared by
their format.
"""

import http.client
import json
import re

import pytest
from cognito import Cognito
from firebase import Firebase
from foyer import ROOT
from nest import Nest
from standin import StandIn
from supabase_project import KEY, Project

TRANSCRIPTS = ROOT / "Tests/BackendTests/Transcripts"
ADA, PASSWORD = "ada@example.com", "correct horse"
FORMATS = {
    "access token": r"[\w-]+\.[\w-]+\.[\w-]*|cognito-access-\d+",
    "refresh token": r"\S+",
    "uuid": r"[\w-]+",
}
# As text, or seconds or milliseconds since 1970.
TIMES = [
    re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"),
    re.compile(r"1\d{9}"),
    re.compile(r"1\d{12}"),
]


class Transcript:
    """A request and its response, read from a file."""

    def __init__(self, name):
        lines = (TRANSCRIPTS / f"{name}.txt").read_text().splitlines()[2:]
        (first, *self.headers), self.body = self._part(lines, ">")
        (status, *_), response = self._part(lines, "<")
        self.method, self.target = first.split(" ", 1)
        self.status = int(status)
        self.response = parse(response)

    @staticmethod
    def _part(lines, mark):
        texts = [line[2:] for line in lines if line.startswith(mark)]
        head, body = (texts[: texts.index("")], texts) if "" in texts else (texts, [])
        return head, "\n".join(body[len(head) + 1 :])

    def run(self, address, prefix, values):
        """Sends the request and returns the differences of the response.

        `values` contains the values of the transcript's placeholders.
        """

        def substitute(text):
            return re.sub(r"<[a-z ]+ \d+>", lambda name: values[name[0]], text)

        connection = http.client.HTTPConnection(address, timeout=15)
        connection.request(
            self.method,
            substitute(self.target).removeprefix(prefix),
            substitute(self.body).encode() or None,
            dict(substitute(line).split(": ", 1) for line in self.headers),
        )
        response = connection.getresponse()
        status, body = response.status, parse(response.read().decode())
        connection.close()
        if status != self.status:
            return [f"the status is {status} and not {self.status}: {body}"]
        placeholders = {}
        found = list(differences(self.response, body, placeholders))
        for name, value in placeholders.items():
            values.setdefault(name, value)
        return found


def parse(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def differences(expected, response, placeholders, path=""):
    """The differences between a response and the transcript's."""
    if isinstance(expected, dict) and isinstance(response, dict):
        for name in expected.keys() | response.keys():
            if name not in response or name not in expected:
                yield f"{path}/{name} is {'missing' if name in expected else 'unexpected'}"
            else:
                yield from differences(
                    expected[name], response[name], placeholders, f"{path}/{name}"
                )
    elif (
        isinstance(expected, list) and isinstance(response, list) and len(expected) == len(response)
    ):
        for number, (element, other) in enumerate(zip(expected, response, strict=True)):
            yield from differences(element, other, placeholders, f"{path}/{number}")
    elif type(expected) is not type(response):
        yield f"{path} is {response!r} and not {expected!r}"
    elif name := re.fullmatch(r"<([a-z ]+) \d+>", str(expected)):
        if not re.fullmatch(FORMATS[name[1]], response):
            yield f"{path} is {response!r}, which is no {name[1]}"
        if placeholders.setdefault(expected, response) != response:
            yield f"{path} is {response!r} and not {placeholders[expected]!r} as before"
    elif expected != response and not any(
        pattern.fullmatch(str(expected)) and pattern.fullmatch(str(response)) for pattern in TIMES
    ):
        yield f"{path} is {response!r} and not {expected!r}"


# ---- The stories of every stand-in


class Values(dict):
    """The values of the transcripts' placeholders; a code is the newest that was mailed."""

    def __init__(self, newest_code):
        self.newest_code = newest_code

    def __missing__(self, name):
        assert "code" in name, f"no earlier transcript gave {name}"
        return self.newest_code()


def nest():
    script = Nest()
    script.add("john@example.com", "Hammer-and-nail-1")
    script.people["john@example.com"]["user"]["role"] = "contractor"
    return script.standin, Values(None)


def cognito():
    script = Cognito()
    return StandIn(script), Values(lambda: script.codes[ADA])


def firebase(*people):
    script = Firebase()
    for email in people:
        script.add(email, PASSWORD, verified=False)
    return StandIn(script), Values(lambda: script.mails[-1][2])


def supabase(*people, confirm=False, **state):
    script = Project(confirm)
    for email in people:
        person = script.add(email, PASSWORD, "Ada Lovelace", "business_owner", **state)
        del person["data"]["user_type"]
    script.server = StandIn(script)
    values = Values(None)
    values["<access token 1>"] = KEY
    return script.server, values


STORIES = {
    "bob/nest": [
        (nest, "login/wrong-password login/signed-in refresh/rotated refresh/reused"),
        (nest, "login/signed-in logout/no-token logout/signed-out"),
        (nest, "edges/unknown-route edges/wrong-method"),
    ],
    "clarity/cognito": [
        (
            cognito,
            "login/unknown register/waits login/unverified confirm-email/wrong "
            "resend-confirmation/sent confirm-email/done login/signed-in me/known "
            "me/renamed logout/by-body not-found",
        )
    ],
    "clarity": [
        (
            lambda: firebase(ADA),
            "signIn/wrong-password-private signIn/signed-in lookup/new sendOobCode/verify "
            "signUp/email-exists delete/done lookup/deleted",
        ),
        (lambda: firebase(ADA), "sendOobCode/reset resetPassword/done"),
        (
            firebase,
            "gate/no-key gate/unknown-method signIn/unknown-private "
            "sendOobCode/reset-unknown-private "
            "signUp/created own/me-unregistered own/register-created own/me",
        ),
    ],
    "socoto": [
        (
            lambda: supabase(ADA, confirm=True),
            "token/wrong-password token/unknown token/signed-in recover/known logout/everywhere",
        ),
        (
            lambda: supabase(ADA, confirm=True, profile=False),
            "token/signed-in profiles/others-object",
        ),
        (lambda: supabase(ADA, confirmed=False), "token/unconfirmed"),
        (
            supabase,
            "edges/wrong-key edges/unknown-route logout/no-bearer recover/unknown "
            "signup/confirmed-at-once signup/exists-confirmed-without-mails",
        ),
        (lambda: supabase(confirm=True), "signup/to-be-confirmed signup/exists-unconfirmed"),
        (lambda: supabase(ADA, confirm=True), "signup/exists-confirmed"),
    ],
}


@pytest.mark.parametrize(
    ("contract", "start", "story"),
    [
        pytest.param(contract, start, story, id=f"{contract} {story}")
        for contract, stories in STORIES.items()
        for start, story in stories
    ],
)
def test_a_standin_responds_like_the_contract(contract, start, story):
    standin, values = start()
    host, port = standin.server.server_address
    mistakes = {}
    for name in story.split():
        transcript = Transcript(f"{contract}/{name}")
        found = transcript.run(f"{host}:{port}", f"/main/{contract}", values)
        if found:
            mistakes[name] = found
    standin.stop()
    assert not mistakes, json.dumps(mistakes, indent=1)
