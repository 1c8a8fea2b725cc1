"""Mystica from registration to logout: at its own address, in the studio, without scripts."""

import acting
from playwright.sync_api import expect


def open_link(page, foyer, email):
    """Opens the link of the received mail and returns the page's text."""
    link = foyer.mail(email)["link"]
    tab = page.context.new_page()
    tab.goto(link)
    text = tab.locator("body").inner_text()
    tab.close()
    return text


def test_register_verify_sign_in_and_log_out_at_the_apps_url(page, foyer, person):
    email, password = person()
    acting.start(page, foyer)
    acting.register(page, email, password)

    acting.expect_screen(page, "verify")
    expect(page.locator("main")).to_contain_text(email)
    assert "verified" in open_link(page, foyer, email).lower()

    page.get_by_test_id("verify.back").click()
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)

    # A cold start restores the session: no form is shown.
    acting.relaunch(page, foyer)
    acting.expect_signed_in(page, email)

    acting.logout(page)
    acting.relaunch(page, foyer)
    acting.expect_screen(page, "login")


def test_register_verify_sign_in_and_log_out_in_the_studio(page, foyer, person):
    email, password = person()
    view = acting.studio(page, foyer)
    acting.register(view, email, password)
    acting.expect_screen(view, "verify")

    # The received mail appears beside the phone.
    row = page.get_by_test_id("studio.mail.row").filter(has_text=email)
    expect(row).to_be_visible()
    assert "verified" in open_link(page, foyer, email).lower()

    acting.cold_start(page)
    acting.expect_signed_in(view, email)
    expect(page.get_by_test_id("studio.state.current")).to_have_text("map", ignore_case=True)

    acting.logout(view)
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()
    acting.login(view, email, password)
    acting.expect_signed_in(view, email)


def test_a_verification_link_is_opened_from_the_mailbox(page, foyer, person):
    email, password = person()
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.expect_screen(page, "verify")

    page.goto(foyer.base + "/mailbox")
    page.get_by_test_id("mailbox.row").filter(has_text=email).get_by_role("link").first.click()
    expect(page.get_by_test_id("mail.to")).to_contain_text(email)
    with page.context.expect_page() as opened:
        page.get_by_test_id("mail.open").click(modifiers=["Control"])
    expect(opened.value.locator("body")).to_contain_text("verified")

    acting.relaunch(page, foyer)
    acting.expect_signed_in(page, email)


def test_register_verify_sign_in_and_log_out_without_scripts(browsers, foyer, person):
    email, password = person()
    page = browsers.device(foyer, java_script_enabled=False)

    def launch():
        acting.relaunch_in_studio(page, foyer)
        acting.expect_screen(page, "splash")
        page.get_by_role("button", name="Continue").click()

    launch()
    acting.register(page, email, password)
    acting.expect_screen(page, "verify")
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_be_visible()
    open_link(page, foyer, email)
    page.get_by_test_id("verify.back").click()
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)
    launch()
    acting.expect_signed_in(page, email)
    acting.logout(page)


def test_the_studio_works_without_scripts(browsers, foyer, person):
    email, password = person()
    foyer.account(email, password)
    page = browsers.device(foyer, java_script_enabled=False)
    view = acting.studio(page, foyer)
    view.get_by_role("button", name="Continue").click()
    acting.login(view, email, password)
    acting.expect_signed_in(view, email)
    page.reload()
    expect(page.get_by_test_id("studio.state.current")).to_have_text("map", ignore_case=True)
    page.get_by_test_id("studio.expire").click()
    expect(page).to_have_url(foyer.base + "/studio/mystica")
    page.get_by_test_id("storage.mystica_user_id.reveal").click()
    expect(page.get_by_test_id("storage.mystica_user_id.unmasked")).to_be_visible()
    acting.cold_start(page)
    view.get_by_role("button", name="Continue").click()
    acting.expect_signed_in(view, email)


def test_two_browsers_are_two_devices_and_two_tabs_are_one(browsers, foyer, person):
    one, first, _ = acting.signed_in_device(browsers, foyer, person)
    two, second, _ = acting.signed_in_device(browsers, foyer, person)
    assert acting.device_of(one, foyer) != acting.device_of(two, foyer)
    tab = one.context.new_page()
    acting.start(tab, foyer)
    acting.expect_signed_in(tab, first)
    acting.logout(tab)
    one.reload()
    acting.expect_screen(one, "login")
    acting.relaunch(two, foyer)
    acting.expect_signed_in(two, second)


def test_a_deep_link_opens_its_screen_or_the_login(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    page.goto(foyer.base + "/apps/mystica/settings")
    acting.expect_screen(page, "settings")
    page.reload()
    acting.expect_screen(page, "settings")
    signed_out = browsers.device(foyer)
    signed_out.goto(foyer.base + "/apps/mystica/settings")
    acting.expect_screen(signed_out, "login")
    assert signed_out.get_by_test_id("settings.logout").count() == 0


def test_back_and_forward_return_to_the_screens_before(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    page.get_by_test_id("map.settings").click()
    acting.expect_screen(page, "settings")
    page.get_by_test_id("settings.back").click()
    acting.expect_signed_in(page, email)
    page.go_back()
    acting.expect_screen(page, "settings")
    page.go_back()
    acting.expect_signed_in(page, email)
    page.go_forward()
    acting.expect_screen(page, "settings")


def test_a_first_launch_shows_a_spinner_and_then_both_tabs(page, foyer):
    # Without its script the launch does not continue by itself.
    script = "**/screen.js*"
    page.route(script, lambda route: route.fulfill(content_type="text/javascript", body=""))
    acting.start(page, foyer)
    acting.expect_screen(page, "splash")
    expect(page.locator(".launch .spinner")).to_be_visible()
    page.unroute(script)
    page.reload()
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.tab.login")).to_have_attribute("aria-current", "page")
    page.get_by_test_id("login.email").fill("half@typed")
    page.get_by_test_id("login.tab.register").click()
    acting.expect_screen(page, "register")
    expect(page.get_by_test_id("register.email")).to_have_value("half@typed")
    page.get_by_test_id("register.tab.login").click()
    expect(page.get_by_test_id("login.email")).to_have_value("half@typed")


def test_instant_play_without_a_network_offers_a_retry(page, foyer):
    device = acting.device_of(page, foyer)
    foyer.api("POST", "/api/faults", {"kind": "offline", "device": device, "times": 1})
    acting.start(page, foyer, "mystica-instant")
    expect(page.get_by_test_id("splash.error")).to_contain_text("No internet connection")
    acting.expect_screen(page, "splash")
    page.get_by_test_id("splash.retry").click()
    acting.expect_screen(page, "map")


def test_going_back_after_logout_shows_the_login(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    acting.logout(page)
    screens = []
    for _ in range(4):
        page.go_back()
        if page.url == "about:blank":
            break
        screens.append(page.locator("body").get_attribute("data-screen"))
        assert email not in page.locator("body").inner_text()
    # The login replaces settings and map in the history.
    assert len(screens) >= 2 and set(screens) == {"login"}


def test_a_killed_registration_leaves_an_account_behind(page, foyer, person):
    email, password = person()
    acting.start(page, foyer)
    path = f"/api/devices/{acting.device_of(page, foyer)}/apps/mystica"
    foyer.api("POST", path + "/crash")
    acting.register(page, email, password)
    # The app is killed while the request is under way, and starts again without a session.
    acting.expect_screen(page, "login")
    assert foyer.api("GET", path)["storage"] == []
    # The account exists: it can be verified and signed in to on the next launch.
    open_link(page, foyer, email)
    acting.login(page, email, password)
    acting.expect_signed_in(page, email)


def test_instant_play_signs_in_automatically_even_after_a_logout(page, foyer):
    acting.start(page, foyer, "mystica-instant")
    acting.expect_screen(page, "map")
    expect(page.get_by_test_id("map.player")).to_be_visible()
    device = acting.device_of(page, foyer)
    assert [e["call"] for e in acting.exchanges(foyer, device)].count("registerDevice") == 1

    # The second launch reuses the token.
    acting.relaunch(page, foyer, "mystica-instant")
    acting.expect_screen(page, "map")
    assert len(acting.exchanges(foyer, device, "registerDevice")) == 1

    # Logging out signs in again.
    page.get_by_test_id("map.settings.icon").click()
    page.get_by_test_id("settings.logout").click()
    page.get_by_test_id("settings.logout.confirm").click()
    acting.expect_screen(page, "map")
    assert len(acting.exchanges(foyer, device, "registerDevice")) == 2
