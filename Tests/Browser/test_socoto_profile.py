"""Socoto's profile form, at the embedded backend."""

import acting
import pytest
import socoto
from playwright.sync_api import expect


@pytest.mark.parametrize("has_scripts", [True, False])
def test_an_edited_profile_is_shown_and_kept(browsers, foyer, person, has_scripts):
    email, password = person()
    page = browsers.device(foyer, java_script_enabled=has_scripts)
    socoto.sign_up_embedded(page, foyer, email, password, has_scripts=has_scripts)
    socoto.press(page, "profile.edit")
    acting.expect_screen(page, "edit")
    expect(page.get_by_test_id("edit.fullName")).to_have_value("Maya Okafor")
    expect(page.get_by_test_id("edit.photo.asset:person")).to_be_checked()
    page.locator("label.card").filter(has_text="Sun").click()
    for name, text in [("bio", "Bread and coffee"), ("phone", "call me"), ("location", "Hamburg")]:
        page.get_by_test_id(f"edit.{name}").fill(text)
    page.get_by_test_id("edit.marketing").check()
    socoto.press(page, "edit.submit")
    expect(socoto.error(page, "edit")).to_have_text("Please enter a valid phone number")
    page.get_by_test_id("edit.phone").fill("+49 40 1234567")
    socoto.press(page, "edit.submit")

    acting.expect_screen(page, "profile")
    expect(page.get_by_test_id("profile.notice")).to_have_text("Profile saved")
    expect(page.get_by_test_id("profile.bio")).to_have_text("Bread and coffee")
    expect(page.get_by_test_id("profile.location")).to_contain_text("Hamburg")
    expect(page.get_by_test_id("profile.phone")).to_contain_text("+49 40 1234567")
    expect(page.get_by_test_id("profile.preferences")).to_have_text(
        "Notifications Off Location sharing Off Offers by email On", use_inner_text=True
    )
    # The form has the saved values again, and Cancel drops a change.
    socoto.press(page, "profile.edit")
    expect(page.get_by_test_id("edit.photo.asset:sun")).to_be_checked()
    expect(page.get_by_test_id("edit.marketing")).to_be_checked()
    expect(page.get_by_test_id("edit.notifications")).not_to_be_checked()
    page.get_by_test_id("edit.bio").fill("Something else")
    socoto.press(page, "edit.close")
    expect(page.get_by_test_id("profile.bio")).to_have_text("Bread and coffee")
