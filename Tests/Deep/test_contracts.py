"""The embedded backend keeps the public contracts of Supabase and Firebase, whatever it is asked.

`supabase.json` and `firebase.json` describe what it serves of them. Requests
are made from that, good ones and bad ones: no answer is a 5xx, and each has a
described status, content type and shape.
"""

import json
import urllib.request
from pathlib import Path

import pytest
import schemathesis
from foyer import Foyer
from generated import CHECKS, requests, said, without_framing
from load import Client

# Limits count for half an hour, and what is generated asks more often.
PATIENCE = 20


def description(name):
    document = json.loads((Path(__file__).parent / name).read_text())
    for item in list(document["paths"].values()):
        # The name that the iOS SDK and pyrebase call the same method by.
        if old := item.pop("x-old-name", None):
            document["paths"][f"/www.googleapis.com/identitytoolkit/v3/relyingparty/{old}"] = item
    return schemathesis.openapi.from_dict(document)


supabase = description("supabase.json")
firebase = description("firebase.json")


class Project:
    """One app's backend in a workspace, with a person who is signed in."""

    def __init__(self, foyer, app):
        self.foyer, self.app = foyer, app
        self.count = 0

    def ready(self):
        """Another workspace now and then: limits are used up, accounts deleted."""
        if self.count % PATIENCE == 0:
            lease = self.foyer.api(
                "POST",
                "/api/workspaces",
                {"ttl": 3600, "seed": {"app": self.app, "state": "verified"}},
            )
            clients = Client(self.foyer, lease["id"]).ask("GET", "/api/backend")["clients"]
            self.key = clients["supabase"]["anonKey"] if self.app == "socoto" else "any"
            self.base = lease["backendBase"][self.app]
            self.person = {key: lease["user"][key] for key in ("email", "password")}
            self.tokens = self.signed_in()
        self.count += 1

    def post(self, path, body):
        request = urllib.request.Request(
            self.base + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "apikey": self.key},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def signed_in(self):
        if self.app == "socoto":
            session = self.post("/auth/v1/token?grant_type=password", self.person)
            access, refresh = session["access_token"], session["refresh_token"]
        else:
            path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any"
            session = self.post(path, {**self.person, "returnSecureToken": True})
            access, refresh = session["idToken"], session["refreshToken"]
        return {
            "idToken": access,
            "access_token": access,
            "refreshToken": refresh,
            "refresh_token": refresh,
        }

    def fill(self, fields):
        """Half of what was made up is replaced by what there is."""
        known = {**self.person, **self.tokens, "apikey": self.key, "key": self.key}
        known["Authorization"] = f"Bearer {self.tokens['access_token']}"
        for name in set(fields) & set(known):
            if len(str(fields[name])) % 2:
                fields[name] = known[name]


@pytest.fixture(scope="module")
def foyer():
    server = Foyer("contracts")
    yield server
    server.kill()


@pytest.fixture(scope="module")
def socoto(foyer):
    return Project(foyer, "socoto")


@pytest.fixture(scope="module")
def clarity(foyer):
    return Project(foyer, "clarity")


def ask(project, case, always):
    case.headers = without_framing(case.headers)
    for part in (case.body, case.query, case.headers):
        if hasattr(part, "keys"):
            project.fill(part)
    response = case.call(base_url=project.base, timeout=30, **always)
    print(said(case, response))
    if case.method != case.operation.method.upper():
        # Another method than the described one.
        assert response.status_code < 500
        return
    case.validate_response(response, checks=CHECKS)


@supabase.parametrize()
@requests(25, 200)
def test_supabase_is_answered_as_described(socoto, case):
    # Without the project's key the gateway answers, and nothing else.
    socoto.ready()
    ask(socoto, case, {} if socoto.count % 8 == 0 else {"headers": {"apikey": socoto.key}})


@firebase.parametrize()
@requests(25, 200)
def test_firebase_is_answered_as_described(clarity, case):
    clarity.ready()
    ask(clarity, case, {} if clarity.count % 8 == 0 else {"params": {"key": clarity.key}})
