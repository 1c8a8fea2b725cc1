"""The embedded backend's two public contracts have no internal errors, for any request.

Requests are generated from `/backend/{contract}/openapi.json`, with the keys of a client and of an
administrator, for a real user. A 501 is Google's response for a method that its emulator has not.
"""

import os

import pytest
import schemathesis
from foyer import MARK, Foyer
from generated import requests, said, without_framing

USER = "generated@example.com"


class Backend:
    """The backend with a user of each contract, and what clients send to it."""

    def __init__(self):
        # Each worker that runs a test of this file has its own.
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        self.foyer = Foyer(f"contracts-{worker}")
        self.clients = self.foyer.api("GET", "/api/backend")["clients"]
        self.seed()

    def seed(self):
        """Creates the users again, since requests delete them."""
        self.ids = {"project": self.clients["firebase"]["projectId"], "table": "profiles"}
        for app in ("socoto", "clarity"):
            found = self.foyer.items("/api/accounts", {"app": app, "q": USER})
            account = (
                found[0]
                if found
                else self.foyer.accounts.create(app, email=USER, password=f"{MARK}-generated")
            )
            self.ids[app] = account["id"]

    def headers(self, contract, is_administrator):
        if contract == "clarity":
            return {"Authorization": "Bearer owner"} if is_administrator else {}
        key = self.clients["supabase"]["serviceKey" if is_administrator else "anonKey"]
        return {"apikey": key, "Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def backend():
    backend = Backend()
    yield backend
    backend.foyer.remember_tokens()
    assert backend.foyer.stop() == 0


def description(contract):
    @pytest.fixture(scope="module", name=contract)
    def api(backend):
        document = backend.foyer.api("GET", f"/backend/{contract}/openapi.json")
        schema = schemathesis.openapi.from_dict(document)
        schema.config.update(base_url=document["servers"][0]["url"])
        return schema

    return api


socoto = description("socoto")
clarity = description("clarity")


def call(backend, contract, case):
    """Sends a request, every other one as an administrator."""
    is_administrator = len(case.path) % 2 == 0
    for name in case.path_parameters or {}:
        if name == "user":
            case.path_parameters[name] = backend.ids[contract]
        elif name in backend.ids:
            case.path_parameters[name] = backend.ids[name]
    own = without_framing(case.headers)
    keys = ("authorization", "apikey", "x-goog-api-key")
    case.headers = {k: v for k, v in own.items() if k.lower() not in keys}
    response = case.call(headers=backend.headers(contract, is_administrator))
    assert response.status_code < 500 or response.status_code == 501, said(case, response)
    if case.method == "DELETE" or case.path.endswith("delete"):
        backend.seed()


@schemathesis.pytest.from_fixture("socoto").parametrize()
@requests(3, 100)
def test_supabases_endpoints_have_no_internal_errors(backend, case):
    call(backend, "socoto", case)


# The app's own servers document some internal errors.
firebase = schemathesis.pytest.from_fixture("clarity").exclude(path_regex="^/(api|cognito)/")


@firebase.parametrize()
@requests(3, 100)
def test_firebases_endpoints_have_no_internal_errors(backend, case):
    call(backend, "clarity", case)
