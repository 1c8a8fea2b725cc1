"""The stand-ins for the apps' servers answer as the contracts' transcripts say.

The embedded backend is held to the same transcripts, so a browser test with a stand-in
shows what it would show with the embedded backend. Each stand-in plays the transcripts of
what browser tests ask of it, in stories: one after the other, with the tokens that the
earlier ones gave. What differs from run to run (tokens, ids, times) is compared by its form.
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
ADA, HORSE = "ada@example.com", "correct horse"
FORMS = {
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
    """A request and its answer, out of a file."""

    def __init__(self, name):
        lines = (TRANSCRIPTS / f"{name}.txt").read_text().splitlines()[2:]
        (first, *self.headers), self.body = self._part(lines, ">")
        (status, *_), answer = self._part(lines, "<")
        self.method, self.target = first.split(" ", 1)
        self.status = int(status)
        self.answer = read(answer)

    @staticmethod
    def _part(lines, mark):
        texts = [line[2:] for line in lines if line.startswith(mark)]
        head, body = (texts[: texts.index("")], texts) if "" in texts else (texts, [])
        return head, "\n".join(body[len(head) + 1 :])

    def play(self, address, prefix, values):
        """Sends it; where the answer differs. `values` are what its names stand for."""

        def known(text):
            return re.sub(r"<[a-z ]+ \d+>", lambda name: values[name[0]], text)

        connection = http.client.HTTPConnection(address, timeout=15)
        connection.request(
            self.method,
            known(self.target).removeprefix(prefix),
            known(self.body).encode() or None,
            dict(known(line).split(": ", 1) for line in self.headers),
        )
        answer = connection.getresponse()
        status, body = answer.status, read(answer.read().decode())
        connection.close()
        if status != self.status:
            return [f"the status is {status} and not {self.status}: {body}"]
        named = {}
        found = list(differences(self.answer, body, named))
        for name, value in named.items():
            values.setdefault(name, value)
        return found


def read(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def differences(expected, answer, named, where=""):
    """Where an answer is not what the transcript has."""
    if isinstance(expected, dict) and isinstance(answer, dict):
        for name in expected.keys() | answer.keys():
            if name not in answer or name not in expected:
                yield f"{where}/{name} is {'missing' if name in expected else 'too much'}"
            else:
                yield from differences(expected[name], answer[name], named, f"{where}/{name}")
    elif isinstance(expected, list) and isinstance(answer, list) and len(expected) == len(answer):
        for number, (one, other) in enumerate(zip(expected, answer, strict=True)):
            yield from differences(one, other, named, f"{where}/{number}")
    elif type(expected) is not type(answer):
        yield f"{where} is {answer!r} and not {expected!r}"
    elif name := re.fullmatch(r"<([a-z ]+) \d+>", str(expected)):
        if not re.fullmatch(FORMS[name[1]], answer):
            yield f"{where} is {answer!r}, which is no {name[1]}"
        if named.setdefault(expected, answer) != answer:
            yield f"{where} is {answer!r} and not {named[expected]!r} as before"
    elif expected != answer and not any(
        form.fullmatch(str(expected)) and form.fullmatch(str(answer)) for form in TIMES
    ):
        yield f"{where} is {answer!r} and not {expected!r}"


# ---- Who plays what


class Values(dict):
    """What the names in transcripts stand for; a code is the newest that was mailed."""

    def __init__(self, mailed):
        self.mailed = mailed

    def __missing__(self, name):
        assert "code" in name, f"no earlier transcript gave {name}"
        return self.mailed()


def nest():
    script = Nest()
    script.person("john@example.com", "Hammer-and-nail-1")
    script.people["john@example.com"]["user"]["role"] = "contractor"
    return script.standin, Values(None)


def cognito():
    script = Cognito()
    return StandIn(script), Values(lambda: script.codes[ADA])


def firebase(*people):
    script = Firebase()
    for email in people:
        script.add(email, HORSE, verified=False)
    return StandIn(script), Values(lambda: script.mails[-1][2])


def supabase(*people, confirm=False, **state):
    script = Project(confirm)
    for email in people:
        person = script.add(email, HORSE, "Ada Lovelace", "business_owner", **state)
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
            "logout/by-body not-found",
        )
    ],
    "clarity": [
        (
            lambda: firebase(ADA),
            "signIn/wrong-password signIn/signed-in lookup/new sendOobCode/verify "
            "signUp/email-exists delete/done lookup/deleted",
        ),
        (lambda: firebase(ADA), "sendOobCode/reset resetPassword/done"),
        (
            firebase,
            "gate/no-key gate/unknown-method signIn/unknown sendOobCode/reset-unknown "
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
            "edges/wrong-key edges/unknown-route logout/nobody recover/unknown "
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
def test_a_standin_answers_as_the_contract(contract, start, story):
    standin, values = start()
    host, port = standin.server.server_address
    wrong = {}
    for name in story.split():
        transcript = Transcript(f"{contract}/{name}")
        found = transcript.play(f"{host}:{port}", f"/main/{contract}", values)
        if found:
            wrong[name] = found
    standin.stop()
    assert not wrong, json.dumps(wrong, indent=1)
