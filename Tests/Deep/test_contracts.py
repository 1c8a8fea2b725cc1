"""The embedded backend follows the public contracts of Supabase and Firebase for any request.

`supabase.json` and `firebase.json` describe the parts that it serves. Valid and invalid requests
are generated from them: no response is a 5xx, and each has a described status, content type and
shape.
"""

import json
import urllib.request
from pathlib import Path

import pytest
import schemathesis
from foyer import Foyer
from generated import CHECKS, requests, said, without_framing
from load import Client

# Rate limits last half an hour, and generated requests would exceed them.
CASES_PER_WORKSPACE = 20


def load_schema(name):
    document = json.loads((Path(__file__).parent / name).read_text())
    for item in list(document["paths"].values()):
        # The name that the iOS SDK and pyrebase use for the same method.
        if old_name := item.pop("x-old-name", None):
            document["paths"][f"/www.googleapis.com/identitytoolkit/v3/relyingparty/{old_name}"] = (
                item
            )
    return schemathesis.openapi.from_dict(document)


supabase = load_schema("supabase.json")
firebase = load_schema("firebase.json")


class Project:
    """One app's backend in a workspace, with a signed-in user."""

    def __init__(self, foyer, app):
        self.foyer, self.app = foyer, app
        self.count = 0

    def prepare(self):
        """Switches to a new workspace regularly: cases use up limits and delete accounts."""
        if self.count % CASES_PER_WORKSPACE == 0:
            lease = self.foyer.api(
                "POST",
                "/api/workspaces",
                {"ttl": 3600, "seed": {"app": self.app, "state": "verified"}},
            )
            clients = Client(self.foyer, lease["id"]).send("GET", "/api/backend")["clients"]
            self.key = clients["supabase"]["anonKey"] if self.app == "socoto" else "any"
            self.base = lease["backendBase"][self.app]
            self.credentials = {key: lease["user"][key] for key in ("email", "password")}
            self.tokens = self.sign_in()
        self.count += 1

    def post(self, path, body):
        request = urllib.request.Request(
            self.base + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "apikey": self.key},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def sign_in(self):
        if self.app == "socoto":
            session = self.post("/auth/v1/token?grant_type=password", self.credentials)
            access, refresh = session["access_token"], session["refresh_token"]
        else:
            path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any"
            session = self.post(path, {**self.credentials, "returnSecureToken": True})
            access, refresh = session["idToken"], session["refreshToken"]
        return {
            "idToken": access,
            "access_token": access,
            "refreshToken": refresh,
            "refresh_token": refresh,
        }

    def fill(self, fields):
        """Replaces about half of the generated values by real ones."""
        real = {**self.credentials, **self.tokens, "apikey": self.key, "key": self.key}
        real["Authorization"] = f"Bearer {self.tokens['access_token']}"
        for name in set(fields) & set(real):
            if len(str(fields[name])) % 2:
                fields[name] = real[name]


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


def check(project, case, options):
    case.headers = without_framing(case.headers)
    for part in (case.body, case.query, case.headers):
        if hasattr(part, "keys"):
            project.fill(part)
    response = case.call(base_url=project.base, timeout=30, **options)
    print(said(case, response))
    if case.method != case.operation.method.upper():
        # The case uses a method that is not described.
        assert response.status_code < 500
        return
    case.validate_response(response, checks=CHECKS)


@supabase.parametrize()
@requests(25, 200)
def test_supabase_responses_match_their_description(socoto, case):
    # Every eighth case is sent without the project's key: only the gateway responds to it.
    socoto.prepare()
    check(socoto, case, {} if socoto.count % 8 == 0 else {"headers": {"apikey": socoto.key}})


@firebase.parametrize()
@requests(25, 200)
def test_firebase_responses_match_their_description(clarity, case):
    clarity.prepare()
    check(clarity, case, {} if clarity.count % 8 == 0 else {"params": {"key": clarity.key}})
