"""Socoto's five tabs, and what a business owner may do that a user may not."""

import acting
import socoto
from playwright.sync_api import expect

TABS = ["feed", "discover", "create", "messages", "profile"]


def test_the_highlight_moves_to_the_tab_that_is_opened(browsers, foyer, person):
    page = browsers.device(
        foyer, reduced_motion="no-preference", viewport={"width": 390, "height": 844}
    )
    socoto.sign_up_embedded(page, foyer, *person())
    last = "profile"
    for tab in TABS:
        screen = "owners" if tab == "create" else tab
        socoto.press(page, f"{last}.tab.{screen}")
        acting.expect_screen(page, screen)
        expect(page.locator("[aria-current=page]")).to_have_text(tab.capitalize())
        expect(page.get_by_role("heading", level=1)).to_have_text(tab.capitalize())
        last = screen
    page.go_back()
    acting.expect_screen(page, "messages")
    # The movement starts at the tab that was left and ends at the selected one.
    page.goto(f"{foyer.base}/apps/socoto/messages#Feed")
    start, end = page.evaluate("""() => {
        const [move] = document.getAnimations().filter(a => a.animationName === 'select');
        const at = time => {
            move.pause();
            move.currentTime = time;
            return getComputedStyle(document.querySelector('.tabbar'), '::before').translate;
        };
        return [at(0), at(300)];
    }""")
    assert (start, end) == ("-300%", "none")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    acting.expect_screen(page, "messages")
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_bar_covers_no_control_that_has_the_focus(browsers, foyer, person):
    page = browsers.device(foyer, viewport={"width": 390, "height": 640})
    socoto.sign_up_embedded(page, foyer, *person())
    top = page.locator(".tabbar").bounding_box()["y"]
    for name in ["security", "signOut", "deleteAccount"]:
        acting.tab_to(page, f"profile.{name}")
        box = page.get_by_test_id(f"profile.{name}").bounding_box()
        assert box["y"] + box["height"] < top, name


def test_a_business_owner_publishes_what_users_discover(browsers, foyer, person):
    owner = browsers.device(foyer, java_script_enabled=False)
    email, password = person()
    socoto.sign_up_embedded(owner, foyer, email, password, "business_owner", has_scripts=False)
    socoto.press(owner, "profile.tab.owners")
    acting.expect_screen(owner, "create")
    socoto.press(owner, "create.business")
    socoto.press(owner, "business.submit")
    expect(socoto.error(owner, "business")).to_have_text("Please enter the name of your business")
    # The second time changes the business.
    for name in ["Bakery", f"Bakery of {email}"]:
        owner.get_by_test_id("business.name").fill(name)
        owner.get_by_test_id("business.about").fill("Bread and coffee")
        owner.locator("label.card").filter(has_text="Services").click()
        socoto.press(owner, "business.submit")
        acting.expect_screen(owner, "create")
        expect(owner.get_by_test_id("create.notice")).to_have_text("Your business is published")
        expect(owner.get_by_test_id("create.published")).to_contain_text(name)
        socoto.press(owner, "create.business")
        expect(owner.get_by_test_id("business.name")).to_have_value(name)
        expect(owner.get_by_test_id("business.category.services")).to_be_checked()

    user = browsers.device(foyer)
    email_of_user, password = person()
    socoto.sign_up_embedded(user, foyer, email_of_user, password)
    socoto.press(user, "profile.tab.discover")
    shown = user.get_by_test_id("discover.business").filter(has_text=email)
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("Bread and coffee")
    socoto.press(user, "discover.tab.owners")
    acting.expect_screen(user, "owners")
    # The row rules refuse the request itself.
    status, body = socoto.publish(foyer, acting.device_of(user, foyer))
    assert (status, body["code"]) == (403, "42501")
