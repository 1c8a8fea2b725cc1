"""Anonymous Wall's colors and shapes, its layout, and its use without a mouse."""

import acting
import anonymous
from anonymous import SAM, fill, wall_backend  # noqa: F401
from playwright.sync_api import expect


def style(page, name, property_):
    acting.wait_for_styles(page)
    return page.get_by_test_id(name).evaluate("(e, what) => getComputedStyle(e)[what]", property_)


def test_colors_follow_the_system_appearance(page, foyer, wall_backend):
    anonymous.start_with_backend(page, foyer, wall_backend)

    def colors(scheme):
        page.emulate_media(color_scheme=scheme)
        page_color = page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
        return (
            page_color,
            style(page, "landing.register", "backgroundColor"),
            style(page, "landing.login", "backgroundColor"),
            page.locator(".glyph").evaluate("e => getComputedStyle(e).backgroundColor"),
        )

    white = "rgb(255, 255, 255)"
    assert colors("light") == (white, "rgb(0, 103, 217)", white, "rgb(0, 122, 255)")
    # The outlined Login button stays white in dark mode.
    assert colors("dark") == ("rgb(0, 0, 0)", "rgb(10, 111, 224)", white, "rgb(10, 132, 255)")


def test_colors_and_shapes_match_the_style_sheet(page, foyer, wall_backend):
    page.emulate_media(color_scheme="light")
    anonymous.open_state(page, foyer, wall_backend, "login-failure")
    assert style(page, "login.submit", "height") == "50px"
    assert style(page, "login.submit", "borderRadius") == "10px"
    assert style(page, "login.email", "backgroundColor") == "rgb(242, 242, 247)"
    assert style(page, "login.email", "borderRadius") == "10px"
    assert style(page, "login.error", "color") == "rgb(215, 0, 21)"
    assert style(page, "login.error", "fontSize") == "12px"
    title = page.get_by_role("heading", name="Welcome Back")
    assert title.evaluate("e => getComputedStyle(e).fontSize") == "34px"
    anonymous.get_code(page, SAM)
    assert style(page, "login.notice", "color") == "rgb(30, 122, 52)"
    fill(page, "login.code", "")
    assert style(page, "login.submit", "backgroundColor") == "rgb(116, 116, 120)"


def test_the_code_button_is_beside_the_address_in_every_window(page, foyer, wall_backend):
    anonymous.open_state(page, foyer, wall_backend, "login")
    acting.wait_for_styles(page)
    for width in (320, 390, 1280):
        acting.resize(page, width, 844)
        field, button, label = (
            part.bounding_box()
            for part in (
                page.get_by_test_id("login.email"),
                page.get_by_test_id("login.getCode"),
                page.get_by_text("Email", exact=True),
            )
        )
        assert abs(field["y"] - button["y"]) <= 1
        assert abs(field["height"] - button["height"]) <= 1
        assert field["x"] + field["width"] < button["x"]
        assert label["y"] + label["height"] <= field["y"]
        form = page.locator("form").first.bounding_box()
        assert form["width"] <= 400
        assert abs(form["x"] + form["width"] / 2 - width / 2) <= 2
    # A landscape phone scrolls to the button.
    acting.resize(page, 844, 390)
    expect(page.locator(".head .glyph")).to_be_hidden()
    button = page.get_by_test_id("login.submit")
    button.scroll_into_view_if_needed()
    expect(button).to_be_in_viewport(ratio=1)


def test_reduced_motion_replaces_the_animation_with_a_fade(page, foyer, wall_backend):
    anonymous.open_state(page, foyer, wall_backend, "register-alert")
    for motion, name in [("no-preference", "alert-in"), ("reduce", "fade")]:
        page.emulate_media(reduced_motion=motion)
        assert style(page, "alert", "animationName") == name


def test_sign_in_write_and_log_out_by_keyboard(page, foyer, wall_backend):
    anonymous.start_with_backend(page, foyer, wall_backend)

    def type_into(name, text):
        acting.tab_to(page, name, acting.OUTLINE)
        page.keyboard.type(text)

    acting.tab_to(page, "landing.register", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "register")
    type_into("register.email", SAM)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("alert.ok")).to_be_focused()
    page.keyboard.press("Enter")
    acting.expect_screen(page, "login")
    acting.tab_to(page, "login.getCode", acting.OUTLINE)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("login.notice")).to_be_visible()
    type_into("login.code", wall_backend.code(SAM))
    page.keyboard.press("Enter")
    anonymous.expect_signed_in(page, SAM)
    acting.tab_to(page, "wall.write", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "write")
    type_into("write.content", "One")
    # In a text with lines Enter begins the next one.
    page.keyboard.press("Enter")
    page.keyboard.type("two")
    acting.tab_to(page, "write.submit", acting.OUTLINE)
    page.keyboard.press("Enter")
    expect(anonymous.posts(page)).to_have_text(["One\ntwo"])
    acting.tab_to(page, "wall.logout", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "landing")
