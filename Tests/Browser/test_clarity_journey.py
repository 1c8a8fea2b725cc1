"""CLARITY Pulse from registration to logout, against Firebase's stand-in."""

import json

import acting
import pulse
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401


def test_register_verify_sign_in_relaunch_and_sign_out(page, foyer, firebase, person):
    email, password = person()
    device = pulse.start_with_backend(page, foyer, firebase.server)
    pulse.register(page, email, password)
    pulse.close_alert(page)
    assert firebase.mails[-1][:2] == ("VERIFY_EMAIL", email)
    assert firebase.profiles[email]["terms_accepted"] is True
    assert firebase.profiles[email]["privacy_policy_accepted"] is True

    pulse.login(page, email, password)
    acting.expect_screen(page, "verify")
    firebase.open_link(email)
    page.get_by_test_id("verify.verified").click()
    pulse.expect_signed_in(page, email)
    expect(page.get_by_test_id("dashboard.name")).to_have_text("Avery Quinn")
    expect(page.get_by_text("No data yet")).to_have_count(4)

    # A cold start restores the session: no form is shown, and the names are those sent to the
    # backend.
    pulse.relaunch(page, foyer)
    pulse.expect_signed_in(page, email)
    page.get_by_test_id("dashboard.tab.chat").click()
    acting.expect_screen(page, "chat")
    page.get_by_test_id("chat.tab.settings").click()
    acting.expect_screen(page, "settings")
    expect(page.get_by_test_id("settings.firstName")).to_have_text("Avery")
    expect(page.get_by_test_id("settings.lastName")).to_have_text("Quinn")

    page.get_by_test_id("settings.signOut").click()
    expect(page.get_by_test_id("settings.signOut.dialog")).to_contain_text(
        "Are you sure you want to sign out?"
    )
    page.get_by_test_id("settings.signOut.cancel").click()
    acting.expect_screen(page, "settings")
    assert len(pulse.user_keys(foyer, device)) == 4
    page.get_by_test_id("settings.tab.dashboard").click()
    acting.expect_screen(page, "dashboard")
    expect(page.get_by_test_id("dashboard.tab.dashboard")).to_have_attribute("aria-current", "page")

    pulse.logout(page)
    assert pulse.user_keys(foyer, device) == []
    pulse.relaunch(page, foyer)
    acting.expect_screen(page, "login")


def test_register_sign_in_sign_out_and_reset_without_scripts(browsers, foyer, firebase, person):
    email, password = person()
    page = browsers.device(foyer, java_script_enabled=False)
    # Only a page with scripts can fetch its device id, so it is read from the API's list.
    page.goto(f"{foyer.base}/studio/clarity")
    device = foyer.api("GET", "/api/devices?limit=500")["items"][0]["id"]
    base = firebase.server.url.removesuffix("/api/v1")
    foyer.api(
        "PATCH",
        pulse.app_path(device),
        {"backend": "emulator", "base": base, "settings": {"apiURL": "/"}},
    )

    def launch():
        acting.relaunch_in_studio(page, foyer, pulse.APP)
        acting.expect_screen(page, "loading")
        page.get_by_role("button", name="Continue").click()

    launch()
    pulse.register(page, email, password)
    pulse.close_alert(page)
    pulse.login(page, email, password)
    acting.expect_screen(page, "verify")
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")
    firebase.open_link(email)
    page.get_by_test_id("verify.verified").click()
    pulse.expect_signed_in(page, email)
    launch()
    pulse.expect_signed_in(page, email)
    pulse.logout(page)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    expect(page.get_by_test_id("reset.notice")).to_be_visible()


def test_deleting_the_account_returns_to_the_login(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    device = pulse.start_with_backend(page, foyer, firebase.server)
    pulse.login(page, email, password)
    pulse.expect_signed_in(page, email)
    pulse.open_settings(page)
    page.get_by_test_id("settings.delete").click()
    expect(page.get_by_test_id("settings.delete.dialog")).to_contain_text(
        "This action cannot be undone."
    )
    page.get_by_test_id("settings.delete.confirm").click()
    acting.expect_screen(page, "login")
    assert email not in firebase.people
    assert pulse.user_keys(foyer, device) == []
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text("Invalid email or password")


def test_no_token_reaches_the_page_or_its_clipboard(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script("navigator.clipboard.writeText = t => { window.copied = t; }")
    lines = []
    page.on("console", lambda message: lines.append(message.text))
    device = pulse.start_with_backend(page, foyer, firebase.server)
    pulse.login(page, email, password)
    pulse.expect_signed_in(page, email)
    token = foyer.api("GET", pulse.app_path(device) + "/storage/firebase_user.access_token")[
        "value"
    ]
    assert token.count(".") == 2
    assert token not in page.content() + json.dumps(lines)
    assert page.evaluate("window.copied ?? null") is None
