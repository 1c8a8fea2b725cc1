"""The API's responses match its own description, for any request.

Valid and invalid requests are generated from `/api/openapi.json`, in a workspace that has accounts,
sessions, traffic and mail. No response is a 5xx, except of a wait in vain, every success is
described, and each response has the described shape.
"""

import json
import urllib.request

import pytest
import schemathesis
from foyer import Foyer
from generated import CHECKS, requests, said, without_framing
from schemathesis.checks import not_a_server_error

# An event stream, whose response never ends.
ENDLESS = "/api/events"


class SeededFoyer:
    """A foyer with an object of every kind, and the ids of these objects."""

    def __init__(self):
        # Without Chromium: hundreds of requests for pictures would take minutes.
        self.foyer = Foyer("openapi", environment={"PATH": "/nowhere"})
        self.ids = {}
        self.seed()

    def seed(self):
        """Creates the objects again, since requests delete them."""
        lease = self.foyer.api(
            "POST", "/api/workspaces", {"seed": {"app": "mystica", "state": "signedIn"}}
        )
        self.workspace = lease["id"]
        self.ids = {
            "workspace": lease["id"],
            "device": lease["device"],
            "app": "mystica",
            "key": "mystica_user_id",
            "contract": "socoto",
            "session": lease["session"],
            "account": lease["user"]["id"],
            "exchange": self.first("/api/exchanges"),
        }

    def get(self, path):
        request = urllib.request.Request(self.foyer.base + path, headers=self.headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def first(self, path):
        return self.get(path)["items"][0]["id"]

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.foyer.key}", "X-Foyer-Workspace": self.workspace}


@pytest.fixture(scope="module")
def seeded():
    seeded = SeededFoyer()
    yield seeded
    seeded.foyer.remember_tokens()
    assert seeded.foyer.stop() == 0


@pytest.fixture(scope="module")
def api(seeded):
    return schemathesis.openapi.from_url(
        seeded.foyer.base + "/api/openapi.json", headers=seeded.headers
    )


operations = schemathesis.pytest.from_fixture("api").exclude(path=ENDLESS)


@operations.parametrize()
@requests(6, 100)
def test_every_response_is_described(seeded, case):
    # Half of the requests use ids that exist.
    for name in case.path_parameters or {}:
        if name in seeded.ids and len(str(case.path_parameters[name])) % 2:
            case.path_parameters[name] = seeded.ids[name]
    # No long polling.
    if case.path.endswith("/wait"):
        case.query = {**(case.query or {}), "timeout": "0"}
    case.headers = {
        k: v
        for k, v in without_framing(case.headers).items()
        if not k.lower().startswith("x-foyer-")
    }
    response = case.call(headers=seeded.headers)
    print(said(case, response))
    # A wait in vain is a 504, and without Chromium there is a 503; both are described.
    is_wait_in_vain = case.path.endswith("/wait") and response.status_code == 504
    is_without_chromium = response.status_code == 503 and "no-chromium" in response.text
    excluded = [not_a_server_error] if is_wait_in_vain or is_without_chromium else []
    case.validate_response(response, checks=CHECKS, excluded_checks=excluded)
    if case.method != case.operation.method.upper():
        # A method that is not described is either allowed or gets a 405.
        assert response.status_code in (200, 204, 405), said(case, response)
    elif response.status_code >= 400:
        assert response.json()["detail"], said(case, response)
    if response.status_code < 400 and case.method in ("DELETE", "POST"):
        seeded.seed()
