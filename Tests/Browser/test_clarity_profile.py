"""CLARITY Pulse's introduction, its user's names, and the response to the registration."""

import acting
import pulse
import pytest
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401


def signed_in(page, foyer, firebase, person, **account):
    """A user who has just signed in for the first time on this device."""
    email, password = person()
    firebase.add(email, password, **account)
    device = pulse.start_with_backend(page, foyer, firebase.server)
    pulse.login(page, email, password)
    return device, email, password


# ---- The introduction


def test_three_pages_lead_to_the_dashboard_and_back_works(page, foyer, firebase, person):
    device, email, _ = signed_in(page, foyer, firebase, person)
    acting.expect_screen(page, "track")
    expect(page.get_by_role("heading")).to_have_text("Track Your Health")
    expect(page.get_by_role("link", name="Previous")).to_have_count(0)
    page.get_by_test_id("track.next").click()
    acting.expect_screen(page, "insights")
    expect(page.get_by_role("heading")).to_have_text("AI-Powered Insights")
    page.get_by_test_id("insights.next").click()
    acting.expect_screen(page, "secure")
    expect(page.get_by_role("heading")).to_have_text("Secure & Private")
    page.get_by_test_id("secure.previous").click()
    acting.expect_screen(page, "insights")
    page.go_back()
    acting.expect_screen(page, "secure")
    page.go_back()
    acting.expect_screen(page, "insights")
    page.reload()
    acting.expect_screen(page, "insights")
    # No other screen opens before it is finished, also after a relaunch.
    page.goto(f"{foyer.base}/apps/clarity/settings")
    acting.expect_screen(page, "track")
    pulse.relaunch(page, foyer)
    acting.expect_screen(page, "track")
    assert "hasCompletedOnboarding" not in {
        item["key"] for item in foyer.api("GET", pulse.app_path(device))["storage"]
    }
    pulse.pass_introduction(page)
    acting.expect_screen(page, "dashboard")
    pulse.relaunch(page, foyer)
    acting.expect_screen(page, "dashboard")


def test_the_introduction_is_shown_once_per_phone(page, foyer, firebase, person):
    _, email, password = signed_in(page, foyer, firebase, person)
    pulse.expect_signed_in(page, email)
    pulse.logout(page)
    pulse.login(page, email, password)
    acting.expect_screen(page, "dashboard")


def test_a_link_is_followed_after_the_verification_and_the_introduction(
    page, foyer, firebase, person
):
    email, password = person()
    firebase.add(email, password, verified=False)
    pulse.start_with_backend(page, foyer, firebase.server)
    page.goto(f"{foyer.base}/apps/clarity/settings")
    pulse.login(page, email, password)
    acting.expect_screen(page, "verify")
    firebase.people[email]["emailVerified"] = True
    page.get_by_test_id("verify.verified").click()
    pulse.pass_introduction(page)
    acting.expect_screen(page, "settings")


def test_the_ways_on_fit_a_narrow_phone(browsers, foyer, firebase, person):
    page = browsers.device(foyer, viewport={"width": 320, "height": 568})
    signed_in(page, foyer, firebase, person)
    acting.expect_screen(page, "track")
    acting.wait_for_styles(page)
    dots = page.locator(".intro-dots").bounding_box()
    button = page.get_by_test_id("track.next").bounding_box()
    assert (dots["x"], dots["width"]) == (16, 288)
    assert dots["y"] + dots["height"] < button["y"]
    assert button["x"] + button["width"] == 304


# ---- The names


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_names_are_edited_and_saved(browsers, foyer, person, scripts):
    email, password = person()
    # Only a page with scripts can fetch its device id, so it is read from the API's list.
    page = browsers.device(foyer, java_script_enabled=scripts)
    page.goto(f"{foyer.base}/apps/clarity/")
    if not scripts:
        page.get_by_role("button", name="Continue").click()
    pulse.register(page, email, password)
    pulse.close_alert(page)
    pulse.login(page, email, password)
    acting.expect_screen(page, "verify")
    page.request.get(foyer.mail(email, "verify")["link"], headers={"Accept": "text/html"})
    page.get_by_test_id("verify.verified").click()
    pulse.expect_signed_in(page, email)
    pulse.open_settings(page)
    expect(page.get_by_test_id("settings.edit")).to_contain_text("Tap to edit profile")
    pulse.open_edit(page)
    expect(page.get_by_test_id("edit.first")).to_have_value("Avery")
    expect(page.get_by_test_id("edit.last")).to_have_value("Quinn")
    page.get_by_test_id("edit.first").fill("Robin")
    page.get_by_test_id("edit.cancel").click()
    acting.expect_screen(page, "settings")
    expect(page.get_by_test_id("settings.firstName")).to_have_text("Avery")

    pulse.open_edit(page)
    pulse.save_names(page, "", "Stone")
    expect(pulse.failure(page, "edit")).to_have_text("All fields are required.")
    pulse.save_names(page, "Ivory", "Stone")
    acting.expect_screen(page, "settings")
    expect(page.get_by_test_id("settings.notice")).to_have_text("Profile updated successfully")
    expect(page.get_by_test_id("settings.firstName")).to_have_text("Ivory")
    expect(page.get_by_test_id("settings.name")).to_have_text("Ivory Stone")
    expect(page.get_by_test_id("settings.status")).to_have_attribute("data-status", "active")
    page.get_by_test_id("settings.tab.dashboard").click()
    expect(page.get_by_test_id("dashboard.name")).to_have_text("Ivory Stone")


def test_a_name_that_one_server_refuses_is_reported(page, foyer, firebase, person):
    _, email, _ = signed_in(page, foyer, firebase, person, name="Avery Quinn")
    pulse.expect_signed_in(page, email)
    pulse.open_settings(page)
    pulse.open_edit(page)
    firebase.fail("/api/v1/auth/register", (500, {"detail": "boom"}))
    pulse.save_names(page, "Ivory", "Stone")
    expect(pulse.failure(page, "edit")).to_have_text(
        "Failed to update profile: CLARITY did not save your name. Please try again."
    )
    expect(page.get_by_test_id("edit.first")).to_have_value("Ivory")
    page.get_by_test_id("edit.submit").click()
    acting.expect_screen(page, "settings")
    expect(page.get_by_test_id("settings.firstName")).to_have_text("Ivory")


# ---- The registration's response


@pytest.mark.parametrize("sent", [False, True], ids=["not mailed yet", "mailed"])
def test_the_verification_screen_shows_the_registration(page, foyer, firebase, person, sent):
    email, password = person()
    device = pulse.start_with_backend(page, foyer, firebase.server)
    if sent:
        firebase.mails.append(("VERIFY_EMAIL", email, "code-of-the-backend"))
    pulse.register(page, email, password)
    pulse.close_alert(page)
    pulse.login(page, email, password)

    def expect_registration():
        acting.expect_screen(page, "verify")
        expect(page.get_by_test_id("verify.email")).to_have_text(email)
        expect(page.locator(".status-pending")).to_be_visible()
        expect(page.locator(".status-active")).to_be_hidden()
        expect(page.get_by_test_id("verify.sent")).to_be_visible(visible=sent)
        expect(page.get_by_test_id("verify.registered")).to_have_text("January 2, 2026")
        account = firebase.people[email]["localId"]
        expect(page.get_by_test_id("verify.account")).to_have_text(account)

    expect_registration()
    pulse.relaunch(page, foyer)
    expect_registration()
    page.get_by_test_id("verify.signOut").click()
    acting.expect_screen(page, "login")
    assert pulse.user_keys(foyer, device) == []
