"""Socoto's second factor and the end of an account, on the embedded backend."""

import base64
import hashlib
import hmac
import struct
import time

import acting
import pytest
import socoto
from playwright.sync_api import expect


def code_of(secret):
    """The current code of a TOTP secret (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.digest(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1)
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def enter_code(view, screen, secret):
    view.get_by_test_id(f"{screen}.code").fill(code_of(secret))
    socoto.press(view, f"{screen}.submit")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_second_factor_is_set_up_asked_for_and_turned_off(browsers, foyer, person, scripts):
    email, password = person()
    page = browsers.device(foyer, java_script_enabled=scripts)
    socoto.sign_up_embedded(page, foyer, email, password, has_scripts=scripts)
    socoto.press(page, "profile.security")
    acting.expect_screen(page, "security")
    socoto.press(page, "security.setUp")
    acting.expect_screen(page, "authenticator")
    picture = page.get_by_role("img", name="QR code of the key")
    assert picture.evaluate("image => image.naturalWidth") > 0
    secret = page.get_by_test_id("authenticator.secret").inner_text()
    enter_code(page, "authenticator", secret)
    acting.expect_screen(page, "secured")
    expect(page.get_by_text("Two-factor authentication is on")).to_be_visible()

    socoto.press(page, "secured.close")
    socoto.signout(page)
    socoto.to_signin(page)
    socoto.login(page, email, password)
    acting.expect_screen(page, "twoFactor")
    page.get_by_test_id("twoFactor.code").fill("000000")
    socoto.press(page, "twoFactor.submit")
    expect(page.get_by_test_id("twoFactor.error")).to_contain_text("Verification failed: ")
    # The app does not open without the code.
    page.goto(f"{foyer.base}/apps/{socoto.APP}/feed")
    acting.expect_screen(page, "twoFactor")
    enter_code(page, "twoFactor", secret)
    acting.expect_screen(page, "feed")

    page.get_by_role("link", name="Profile").click()
    socoto.press(page, "profile.security")
    acting.expect_screen(page, "secured")
    socoto.press(page, "secured.turnOff")
    socoto.press(page, "secured.turnOff.confirm")
    acting.expect_screen(page, "profile")
    socoto.signout(page)
    socoto.to_signin(page)
    socoto.login(page, email, password)
    acting.expect_screen(page, "profile")


def test_a_deleted_account_cannot_sign_in(page, foyer, person):
    email, password = person()
    socoto.sign_up_embedded(page, foyer, email, password)
    socoto.press(page, "profile.deleteAccount")
    socoto.press(page, "profile.deleteAccount.confirm")
    acting.expect_screen(page, "welcome")
    expect(page.get_by_role("alertdialog")).to_contain_text("Your account has been deleted.")
    page.keyboard.press("Enter")
    socoto.to_signin(page)
    socoto.login(page, email, password)
    expect(page.get_by_test_id("signin.error")).to_have_text(socoto.WRONG)
    assert not foyer.api("GET", f"/api/accounts?app={socoto.APP}&q={email}")["items"]
