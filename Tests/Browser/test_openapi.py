"""The API keeps what its own description promises, whatever it is asked.

Requests are made from `/api/openapi.json`, good ones and bad ones, in a world
that has people, sessions, traffic and mail to be asked about. No answer is a
5xx, none that succeeded is undescribed, and each has the described shape.
"""

import json
import urllib.request

import pytest
import schemathesis
from foyer import Foyer
from generated import CHECKS, requests, said, without_framing

# Its answer never ends.
ENDLESS = "/api/events"


class World:
    """A foyer with something of everything, and the ids of all that."""

    def __init__(self):
        self.foyer = Foyer("openapi")
        self.ids = {}
        self.plant()

    def plant(self):
        """Requests throw things away; what is gone comes back."""
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
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def first(self, path):
        return self.get(path)["items"][0]["id"]

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.foyer.key}", "X-Foyer-Workspace": self.workspace}


@pytest.fixture(scope="module")
def world():
    world = World()
    yield world
    world.foyer.remember_tokens()
    assert world.foyer.stop() == 0


@pytest.fixture(scope="module")
def api(world):
    return schemathesis.openapi.from_url(
        world.foyer.base + "/api/openapi.json", headers=world.headers
    )


described = schemathesis.pytest.from_fixture("api").exclude(path=ENDLESS)


@described.parametrize()
@requests(8, 100)
def test_every_answer_is_described(world, case):
    # Half of them speak of what is there.
    for name in case.path_parameters or {}:
        if name in world.ids and len(str(case.path_parameters[name])) % 2:
            case.path_parameters[name] = world.ids[name]
    # A long wait is no answer.
    if case.path.endswith("/wait"):
        case.query = {**(case.query or {}), "timeout": "0"}
    case.headers = {
        k: v
        for k, v in without_framing(case.headers).items()
        if not k.lower().startswith("x-foyer-")
    }
    response = case.call(headers=world.headers)
    print(said(case, response))
    case.validate_response(response, checks=CHECKS)
    if case.method != case.operation.method.upper():
        # Another method than the described one: allowed, or told why not.
        assert response.status_code in (200, 204, 405), said(case, response)
    elif response.status_code >= 400:
        assert response.json()["detail"], said(case, response)
    if response.status_code < 400 and case.method in ("DELETE", "POST"):
        world.plant()
