"""Mystica with its real Express server and with the document's, both as stand-ins."""

import acting
import pytest
from express import Mystica
from foyer import MARK
from playwright.sync_api import expect


@pytest.fixture
def server(request):
    server = Mystica(is_express=request.param == "express")
    yield server
    server.stop()


express = pytest.mark.parametrize("server", ["express"], indirect=True)
document = pytest.mark.parametrize("server", ["document"], indirect=True)
both = pytest.mark.parametrize("server", ["express", "document"], indirect=True)


def expect_asked_to_verify(page, email):
    acting.expect_screen(page, "verify")
    expect(page.get_by_test_id("verify.error")).to_have_text("Please verify your email")
    expect(page.locator(".prose")).to_contain_text(email)
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")


@express
def test_an_unconfirmed_login_after_a_registration_asks_to_verify(page, foyer, person, server):
    email, password = person()
    acting.start_with_backend(page, foyer, server)
    acting.register(page, email, password)
    acting.expect_screen(page, "verify")
    page.get_by_test_id("verify.back").click()
    acting.login(page, email, password)
    expect_asked_to_verify(page, email)
    server.confirm(email)
    page.get_by_test_id("verify.back").click()
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)


@document
def test_a_401_for_a_refreshed_token_asks_to_verify_and_keeps_it(page, foyer, person, server):
    email, password = person()
    device = acting.start_with_backend(page, foyer, server)
    acting.register(page, email, password)
    acting.expect_screen(page, "verify")
    acting.relaunch(page, foyer)
    expect_asked_to_verify(page, email)
    assert server.requests == ["register", "me", "refresh", "me", "resend-verification"]
    storage = foyer.api("GET", f"/api/devices/{device}/apps/mystica")["storage"]
    assert {item["key"] for item in storage} >= {"mystica_access_token", "mystica_refresh_token"}
    server.confirm(email)
    acting.relaunch(page, foyer)
    acting.expect_signed_in(page, email)


@both
def test_a_session_that_ends_while_the_map_is_open_is_reported(page, foyer, person, server):
    email, password = person()
    server.add(email, password)
    acting.start_with_backend(page, foyer, server)
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)
    server.tokens.clear()
    page.reload()
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.error")).to_have_text("Session expired. Please login again.")
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)


STACK = (
    "TypeError: Cannot read properties of null\n"
    "    at AuthController.login (/srv/mystica/dist/controllers/AuthController.js:88:21)"
)
PAGE = "<!DOCTYPE html><html><body><pre>Cannot POST /api/v1/auth/login</pre></body></html>"
OWN_TEXT = "Something went wrong on the server. Please try again."


@express
@pytest.mark.parametrize(
    "response",
    [(500, {"error": {"code": "INTERNAL_ERROR", "message": STACK}}), (404, PAGE), (502, PAGE)],
    ids=["stack", "page", "gateway"],
)
def test_a_servers_stack_or_page_is_not_shown(page, foyer, person, server, response):
    email, password = person()
    acting.start_with_backend(page, foyer, server)
    server.responses["login"] = [response]
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(OWN_TEXT)


def test_an_offline_login_is_not_called_a_wrong_password(page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    device = acting.device_of(page, foyer)
    acting.expect_screen(page, "login")
    foyer.api("POST", "/api/faults", {"kind": "offline", "device": device, "times": 1})
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "No internet connection. Please check your network and try again."
    )
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)


def test_a_typed_address_survives_the_toggle_without_scripts(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False)
    acting.start(page, foyer)
    page.get_by_role("button", name="Continue").click()
    acting.fill(page, "login", "half@typed", MARK)
    page.get_by_test_id("login.tab.register").click()
    acting.expect_screen(page, "register")
    expect(page.get_by_test_id("register.email")).to_have_value("half@typed")
    expect(page.get_by_test_id("register.password")).to_have_value("")
    page.get_by_test_id("register.email").fill("half@typed.again")
    page.get_by_test_id("register.tab.login").click()
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.email")).to_have_value("half@typed.again")


def test_login_attempts_are_limited_per_address(page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    for _ in range(5):
        acting.login(page, email, password + "-wrong")
        expect(page.get_by_test_id("login.error")).to_have_text("Invalid email or password")
        expect(page.get_by_test_id("login.password")).to_have_value("")
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "Too many failed attempts. Please try again later."
    )
