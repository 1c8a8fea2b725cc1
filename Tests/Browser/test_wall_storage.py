"""What Anonymous Wall leaves on a device, and what a start makes of it."""

import json
import urllib.error

import acting
import anonymous
import pytest
from anonymous import document  # noqa: F401
from playwright.sync_api import expect

TOKEN = "com.anonymouswall.authToken"


def test_the_token_lies_in_the_keychain_and_nowhere_else(page, foyer, document, person):
    email, _ = person()
    device = anonymous.enter(page, foyer, document, email)
    items = anonymous.stored(foyer, device)
    assert {k: i["area"] for k, i in items.items()} == anonymous.ITEMS
    assert items[TOKEN]["accessible"] == "whenUnlockedThisDeviceOnly"
    token = anonymous.value(foyer, device, TOKEN)
    assert token.count(".") == 2
    # The defaults are the sheet's, whole and in the clear.
    assert {k: anonymous.value(foyer, device, k) for k in items if k != TOKEN} == {
        "isAuthenticated": "true",
        "userId": f"id-of-{email}",
        "userEmail": email,
    }
    assert token not in json.dumps(items)
    # And the inspector shows the two places side by side.
    page.goto(f"{foyer.base}/studio/wall")
    for key in items:
        expect(page.get_by_test_id(f"storage.{key}.edit")).to_be_visible()
    assert token not in page.content()


@pytest.mark.parametrize("key", [TOKEN, "userId", "userEmail"])
def test_a_flag_alone_signs_nobody_in(page, foyer, document, person, key):
    device = anonymous.enter(page, foyer, document, person()[0])
    foyer.api("DELETE", f"{anonymous.place(device)}/storage/{key}")
    anonymous.relaunch(page, foyer)
    acting.arrive(page, "landing")
    assert anonymous.stored(foyer, device) == {}


def test_a_token_without_its_flag_is_a_stray(page, foyer, document, person):
    device = anonymous.enter(page, foyer, document, person()[0])
    foyer.api("PUT", f"{anonymous.place(device)}/storage/isAuthenticated", {"value": "false"})
    anonymous.relaunch(page, foyer)
    acting.arrive(page, "landing")
    assert TOKEN not in anonymous.stored(foyer, device)


def test_a_session_forgotten_by_hand_leads_to_the_landing(page, foyer, document, person):
    device = anonymous.enter(page, foyer, document, person()[0])
    foyer.api("DELETE", f"{anonymous.place(device)}/storage")
    page.goto(f"{foyer.base}/apps/wall/wall")
    acting.arrive(page, "landing")


def test_only_https_is_spoken_to_beyond_this_machine(page, foyer):
    page.goto(f"{foyer.base}/studio/wall")
    device = acting.device_of(page, foyer)
    for base in ["http://api.example.com", "http://192.0.2.1/api", "ftp://api.example.com"]:
        with pytest.raises(urllib.error.HTTPError) as refused:
            foyer.api("PATCH", anonymous.place(device), {"backend": "example", "base": base})
        assert refused.value.code in (400, 422)
    for base in ["https://api.example.org", "http://127.0.0.1:9"]:
        foyer.api("PATCH", anonymous.place(device), {"backend": "example", "base": base})
