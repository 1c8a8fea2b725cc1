"""*Add an app* on the home page: a form that makes an app that runs."""

import json

import acting
import looking
import pytest
from conftest import save_picture
from foyer import Foyer
from playwright.sync_api import expect

TOKEN = {"type": "object", "properties": {"access_token": {"type": "string"}}}
LOGIN = {
    "type": "object",
    "required": ["username", "password"],
    "properties": {"username": {"type": "string"}, "password": {"type": "string"}},
}


def json_content(schema):
    return {"content": {"application/json": {"schema": schema}}}


DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Raft API"},
    "paths": {
        "/auth/login": {
            "post": {"requestBody": json_content(LOGIN), "responses": {"200": json_content(TOKEN)}}
        },
        "/users/me": {"get": {"security": [{"token": []}], "responses": {"200": {}}}},
    },
    "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
}


@pytest.fixture
def foyer(tmp_path):
    """A foyer with an empty folder of apps."""
    server = Foyer(f"add-app-{tmp_path.name}", ["--apps", str(tmp_path)])
    yield server
    server.remember_tokens()
    assert server.stop() == 0


def respond(method, path, body):
    if path.endswith("/auth/login"):
        if json.loads(body)["password"] == "right":
            return 200, {"access_token": "token-of-nora"}
        return 401, {"detail": "No such user"}
    return 200, {"name": "Nora"}


@pytest.mark.parametrize("scripts", [True, False])
def test_an_app_from_an_openapi_document_signs_in(foyer, browsers, standin, scripts, tmp_path):
    standin.script = respond
    page = browsers.device(foyer, java_script_enabled=scripts)
    page.goto(foyer.base + "/")
    page.get_by_test_id("home.add").click()
    page.get_by_test_id("addapp.name").fill("Raft")
    page.get_by_test_id("addapp.base").fill(standin.url)
    page.get_by_text("OpenAPI document", exact=True).click()
    expect(page.get_by_test_id("addapp.contract")).to_be_hidden()
    page.get_by_test_id("addapp.file").set_input_files(
        {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(DOCUMENT).encode()}
    )
    page.get_by_test_id("addapp.submit").click()
    expect(page).to_have_url(foyer.base + "/add-app/raft")
    expect(page.get_by_test_id("addedapp.folder")).to_have_text(f"{tmp_path}/raft")
    expect(page.get_by_test_id("addedapp.remarks")).to_contain_text("refresh")
    if scripts:
        acting.start(page, foyer, "raft")
    else:
        page.goto(foyer.base + "/apps/raft/login")
    acting.expect_screen(page, "login")
    for password in ["wrong", "right"]:
        page.get_by_test_id("login.username").fill("nora")
        page.get_by_test_id("login.password").fill(password)
        page.get_by_test_id("login.submit").click()
        if password == "wrong":
            expect(page.get_by_test_id("login.error")).to_have_text("No such user")
    acting.expect_screen(page, "home")
    expect(page.locator("main")).to_contain_text("Nora")
    page.goto(foyer.base + "/")
    assert page.locator("article.app").first.get_attribute("data-testid") == "home.app.raft"


def test_the_form_keeps_what_was_entered_and_an_app_of_a_contract_signs_in(foyer, browsers):
    page = browsers.device(foyer)
    browsers.expect_status(400, "/add-app")
    page.goto(foyer.base + "/add-app")
    looking.check_axe(browsers, page)
    page.get_by_test_id("addapp.name").fill("Mystica")
    page.get_by_test_id("addapp.contract").select_option("wall")
    page.get_by_test_id("addapp.submit").click()
    expect(page.get_by_test_id("addapp.name.error")).to_contain_text("is taken")
    expect(page.get_by_test_id("addapp.contract")).to_have_value("wall")
    looking.check_axe(browsers, page)
    save_picture(page, "add-app")
    page.get_by_test_id("addapp.name").fill("Fence")
    page.get_by_test_id("addapp.submit").click()
    page.get_by_test_id("addedapp.studio").click()
    expect(page).to_have_url(foyer.base + "/studio/fence")
    page.get_by_test_id("studio.seed").first.click()
    view = acting.phone(page)
    acting.expect_screen(view, "wall")
