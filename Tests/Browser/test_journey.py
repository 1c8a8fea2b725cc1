"""From the first launch to the logout, in every way one can walk it."""

import acting
from playwright.sync_api import expect


def open_link(page, foyer, email):
    """Follows the link of the caught mail, as the person would."""
    link = foyer.mail(email)["link"]
    tab = page.context.new_page()
    tab.goto(link)
    said = tab.locator("body").inner_text()
    tab.close()
    return said


def test_the_whole_journey_at_the_apps_own_address(page, foyer, person):
    email, password = person()
    acting.start(page, foyer)
    acting.register(page, email, password)

    acting.arrive(page, "verify")
    expect(page.locator("main")).to_contain_text(email)
    assert "verified" in open_link(page, foyer, email).lower()

    page.get_by_test_id("verify.back").click()
    acting.login(page, email, password)
    acting.signed_in(page, email)

    # A cold start finds the session: no form is shown.
    acting.relaunch(page, foyer)
    acting.signed_in(page, email)

    acting.logout(page)
    acting.relaunch(page, foyer)
    acting.arrive(page, "login")


def test_the_whole_journey_in_the_studio(page, foyer, person):
    email, password = person()
    view = acting.studio(page, foyer)
    acting.register(view, email, password)
    acting.arrive(view, "verify")

    # The caught mail appears beside the phone and leads to its link.
    row = page.get_by_test_id("studio.mail.row").filter(has_text=email)
    expect(row).to_be_visible()
    assert "verified" in open_link(page, foyer, email).lower()

    acting.cold_start(page)
    acting.signed_in(view, email)
    expect(page.get_by_test_id("studio.state.current")).to_have_text("map", ignore_case=True)

    acting.logout(view)
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()
    acting.login(view, email, password)
    acting.signed_in(view, email)


def test_the_mail_is_read_and_followed_in_the_mailbox(page, foyer, person):
    email, password = person()
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.arrive(page, "verify")

    page.goto(foyer.base + "/mailbox")
    page.get_by_test_id("mailbox.row").filter(has_text=email).get_by_role("link").first.click()
    expect(page.get_by_test_id("mail.to")).to_contain_text(email)
    with page.context.expect_page() as opened:
        page.get_by_test_id("mail.open").click(modifiers=["Control"])
    expect(opened.value.locator("body")).to_contain_text("verified")

    acting.relaunch(page, foyer)
    acting.signed_in(page, email)


def test_the_whole_journey_without_scripts(visitors, foyer, person):
    email, password = person()
    page = visitors.device(foyer, java_script_enabled=False)

    def launch():
        acting.relaunch_in_studio(page, foyer)
        acting.arrive(page, "splash")
        page.get_by_role("button", name="Continue").click()

    launch()
    acting.register(page, email, password)
    acting.arrive(page, "verify")
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_be_visible()
    open_link(page, foyer, email)
    page.get_by_test_id("verify.back").click()
    acting.login(page, email, password)
    acting.signed_in(page, email)
    launch()
    acting.signed_in(page, email)
    acting.logout(page)


def test_the_studio_works_without_scripts(visitors, foyer, person):
    email, password = person()
    foyer.account(email, password)
    page = visitors.device(foyer, java_script_enabled=False)
    view = acting.studio(page, foyer)
    view.get_by_role("button", name="Continue").click()
    acting.login(view, email, password)
    acting.signed_in(view, email)
    page.reload()
    expect(page.get_by_test_id("studio.state.current")).to_have_text("map", ignore_case=True)
    page.get_by_test_id("studio.expire").click()
    expect(page).to_have_url(foyer.base + "/studio/mystica")
    page.get_by_test_id("storage.mystica_user_id.reveal").click()
    expect(page.get_by_test_id("storage.mystica_user_id.whole")).to_be_visible()
    acting.cold_start(page)
    view.get_by_role("button", name="Continue").click()
    acting.signed_in(view, email)


def test_two_browsers_are_two_devices_and_two_tabs_are_one(visitors, foyer, person):
    one, first, _ = acting.player(visitors, foyer, person)
    two, second, _ = acting.player(visitors, foyer, person)
    assert acting.device_of(one, foyer) != acting.device_of(two, foyer)
    tab = one.context.new_page()
    acting.start(tab, foyer)
    acting.signed_in(tab, first)
    acting.logout(tab)
    one.reload()
    acting.arrive(one, "login")
    acting.relaunch(two, foyer)
    acting.signed_in(two, second)


def test_a_deep_link_finds_its_screen_or_the_way_in(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    page.goto(foyer.base + "/apps/mystica/settings")
    acting.arrive(page, "settings")
    page.reload()
    acting.arrive(page, "settings")
    stranger = visitors.device(foyer)
    stranger.goto(foyer.base + "/apps/mystica/settings")
    acting.arrive(stranger, "login")
    assert stranger.get_by_test_id("settings.logout").count() == 0


def test_going_back_after_logout_shows_nobody(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    acting.logout(page)
    seen = []
    for _ in range(4):
        page.go_back()
        if page.url == "about:blank":
            break
        seen.append(page.locator("body").get_attribute("data-screen"))
        assert email not in page.locator("body").inner_text()
    # Where settings and map were, the login stands.
    assert len(seen) >= 2 and set(seen) == {"login"}


def test_a_registration_that_was_killed_leaves_an_account_behind(page, foyer, person):
    email, password = person()
    view = acting.studio(page, foyer)
    acting.register(view, email, password)
    acting.arrive(view, "verify")
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.kill").click()
    # Whatever the device still knows, the account is there.
    open_link(page, foyer, email)
    stranger = page.context.browser.new_context()
    other = stranger.new_page()
    other.goto(foyer.entrance)
    acting.start(other, foyer)
    acting.login(other, email, password)
    acting.signed_in(other, email)
    stranger.close()


def test_instant_play_signs_in_by_itself_and_again_after_a_logout(page, foyer):
    acting.start(page, foyer, "mystica-instant")
    acting.arrive(page, "map")
    expect(page.get_by_test_id("map.player")).to_be_visible()
    device = acting.device_of(page, foyer)
    assert [e["call"] for e in acting.exchanges(foyer, device)].count("registerDevice") == 1

    # The second launch reuses the token.
    acting.relaunch(page, foyer, "mystica-instant")
    acting.arrive(page, "map")
    assert len(acting.exchanges(foyer, device, "registerDevice")) == 1

    # Logging out leads back in.
    page.get_by_test_id("map.settings.icon").click()
    page.get_by_test_id("settings.logout").click()
    page.get_by_test_id("settings.logout.confirm").click()
    acting.arrive(page, "map")
    assert len(acting.exchanges(foyer, device, "registerDevice")) == 2
