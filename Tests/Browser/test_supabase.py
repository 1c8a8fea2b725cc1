"""The embedded backend, used by Supabase's own unmodified client.

The client uses the addresses at the root, which belong to the workspace main. By default it uses
the PKCE flow: every mailed link needs the client's code verifier.
"""

import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest
from postgrest.exceptions import APIError
from supabase import AuthApiError, create_client
from supabase.lib.client_options import SyncClientOptions
from supabase_auth.errors import AuthWeakPasswordError


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def follow(link):
    """The redirect target of a mailed link."""
    opener = urllib.request.build_opener(NoRedirects)
    with pytest.raises(urllib.error.HTTPError) as refused:
        opener.open(link, timeout=30)
    assert refused.value.code == 303
    return refused.value.headers["Location"]


def set_switch(foyer, name, on):
    foyer.api("PATCH", "/api/backend/socoto", {"switches": {name: on}})


@pytest.fixture
def project(foyer):
    return foyer.api("GET", "/api/backend")["clients"]["supabase"]


@pytest.fixture
def client(project):
    """Makes clients, each with its own session."""

    def make(key="anonKey", **options):
        return create_client(
            project["url"],
            project.get(key, key),
            SyncClientOptions(auto_refresh_token=False, **options),
        )

    return make


@pytest.fixture
def without_confirmation(foyer):
    """Turns email confirmation off."""
    set_switch(foyer, "confirmEmail", False)
    yield
    set_switch(foyer, "confirmEmail", True)


@pytest.fixture
def signed_in(foyer, client, without_confirmation, person):
    """Makes clients of new users who have signed up and in."""

    def make(role="user"):
        email, password = person()
        device = client()
        response = device.auth.sign_up(
            {
                "email": email,
                "password": password,
                "options": {"data": {"full_name": "Nora Lind", "role": role}},
            }
        )
        foyer.tokens |= {response.session.access_token, response.session.refresh_token}
        return device, email, password

    return make


def code_of(refused):
    return refused.value.code


def test_a_sign_up_is_confirmed_by_the_mailed_code(foyer, client, person):
    email, password = person()
    device = client()
    response = device.auth.sign_up(
        {
            "email": email,
            "password": password,
            "options": {"data": {"full_name": "Nora", "role": "business_owner"}},
        }
    )
    assert response.session is None
    assert response.user.confirmation_sent_at
    assert response.user.email_confirmed_at is None
    with pytest.raises(AuthApiError) as refused:
        device.auth.sign_in_with_password({"email": email, "password": password})
    assert code_of(refused) == "email_not_confirmed"
    code = foyer.mail(email)["code"]
    session = device.auth.verify_otp({"email": email, "token": code, "type": "signup"}).session
    assert session.user.email_confirmed_at
    row = device.table("profiles").select("*").single().execute().data
    assert row["id"] == response.user.id
    assert (row["full_name"], row["role"]) == ("Nora", "business_owner")
    with pytest.raises(AuthApiError) as refused:
        device.auth.verify_otp({"email": email, "token": code, "type": "signup"})
    assert code_of(refused) == "otp_expired"


def test_a_mailed_link_signs_in_only_the_client_that_requested_it(foyer, client, person):
    email, password = person()
    device = client()
    device.auth.sign_up(
        {
            "email": email,
            "password": password,
            "options": {"email_redirect_to": "socoto://callback"},
        }
    )
    location = follow(foyer.mail(email)["link"])
    code = location.removeprefix("socoto://callback?code=")
    assert code != location
    # Another client, which has only the link, gets no session.
    with pytest.raises(AuthApiError) as refused:
        client().auth.exchange_code_for_session(
            {"auth_code": code, "code_verifier": "x" * 50, "redirect_to": "socoto://callback"}
        )
    assert code_of(refused) == "bad_code_verifier"
    device.auth.exchange_code_for_session({"auth_code": code})
    assert device.auth.get_user().user.email == email


def test_an_implicit_flow_link_contains_the_tokens(foyer, client, person):
    email, password = person()
    device = client(flow_type="implicit")
    device.auth.sign_up({"email": email, "password": password})
    link = foyer.mail(email)["link"]
    tokens = urllib.parse.parse_qs(urllib.parse.urlsplit(follow(link)).fragment)
    device.auth.set_session(tokens["access_token"][0], tokens["refresh_token"][0])
    assert device.auth.get_user().user.email == email
    errors = urllib.parse.parse_qs(urllib.parse.urlsplit(follow(link)).fragment)
    assert errors["error_code"] == ["otp_expired"]


def test_a_user_signs_up_changes_metadata_and_signs_out(client, signed_in):
    device, email, password = signed_in("business_owner")
    user = device.auth.get_user().user
    assert (user.email, user.user_metadata["role"]) == (email, "business_owner")
    changed = device.auth.update_user({"data": {"full_name": "Nora L."}}).user
    assert changed.user_metadata["full_name"] == "Nora L."
    assert changed.user_metadata["role"] == "business_owner"
    token = device.auth.get_session().access_token
    refresh = device.auth.get_session().refresh_token
    device.auth.sign_out()
    assert device.auth.get_session() is None
    with pytest.raises(AuthApiError) as refused:
        device.auth.get_user(token)
    assert code_of(refused) == "session_not_found"
    with pytest.raises(AuthApiError) as refused:
        device.auth.refresh_session(refresh)
    assert code_of(refused) == "refresh_token_not_found"
    device.auth.sign_in_with_password({"email": email, "password": password})
    assert device.auth.get_user().user.id == user.id


def test_a_token_is_verified_with_the_published_key(signed_in):
    device, email, _ = signed_in()
    response = device.auth.get_claims()
    assert response["headers"]["alg"] == "ES256"
    assert response["claims"]["email"] == email
    assert response["claims"]["role"] == "authenticated"


def test_concurrent_refreshes_all_succeed(foyer, client, signed_in):
    device, _, _ = signed_in()
    token = device.auth.get_session().refresh_token
    devices = [client() for _ in range(8)]
    sessions = [None] * len(devices)
    start = threading.Barrier(len(devices))

    def refresh(index):
        start.wait()
        sessions[index] = devices[index].auth.refresh_session(token).session

    threads = [threading.Thread(target=refresh, args=(index,)) for index in range(len(devices))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(sessions)
    assert len({session.refresh_token for session in sessions}) == 1
    foyer.tokens.add(sessions[0].refresh_token)
    # A client whose response was lost repeats the request.
    again = client().auth.refresh_session(token).session
    assert again.refresh_token == sessions[0].refresh_token
    assert client().auth.refresh_session(again.refresh_token).session


def test_a_forgotten_password_is_reset_with_the_mailed_code(foyer, client, signed_in, person):
    device, email, old = signed_in()
    other = client()
    other.auth.reset_password_for_email(email)
    code = foyer.mail(email, "reset")["code"]
    other.auth.verify_otp({"email": email, "token": code, "type": "recovery"})
    with pytest.raises(AuthApiError) as refused:
        other.auth.update_user({"password": old})
    assert code_of(refused) == "same_password"
    _, new = person()
    other.auth.update_user({"password": new})
    with pytest.raises(AuthApiError) as refused:
        device.auth.get_user()
    assert code_of(refused) == "session_not_found"
    for password, works in ((old, False), (new, True)):
        attempt = client()
        try:
            attempt.auth.sign_in_with_password({"email": email, "password": password})
            assert works
        except AuthApiError as error:
            assert not works and error.code == "invalid_credentials"


def test_a_reset_link_returns_a_code_to_its_client(foyer, client, signed_in, person):
    _, email, _ = signed_in()
    device = client()
    device.auth.reset_password_for_email(email, {"redirect_to": "socoto://reset"})
    location = follow(foyer.mail(email, "reset")["link"])
    assert location.startswith("socoto://reset?code=")
    device.auth.exchange_code_for_session({"auth_code": location.partition("=")[2]})
    device.auth.update_user({"password": person()[1]})
    assert device.auth.get_user().user.email == email


@pytest.mark.parametrize("scripts", [True, False])
def test_a_reset_link_without_an_app_opens_a_form(
    foyer, client, browsers, signed_in, person, scripts
):
    _, email, old = signed_in()
    client().auth.reset_password_for_email(email)
    page = browsers.device(foyer, key=False, java_script_enabled=scripts)
    page.goto(foyer.mail(email, "reset")["link"])
    _, new = person()
    page.get_by_test_id("reset.password").fill(new)
    page.get_by_test_id("reset.submit").click()
    page.get_by_role("heading", name="Password changed").wait_for()
    device = client()
    with pytest.raises(AuthApiError):
        device.auth.sign_in_with_password({"email": email, "password": old})
    device.auth.sign_in_with_password({"email": email, "password": new})


def test_a_confirmation_link_without_an_app_shows_its_result(foyer, client, browsers, person):
    email, password = person()
    client().auth.sign_up({"email": email, "password": password})
    link = foyer.mail(email)["link"]
    page = browsers.device(foyer, key=False, java_script_enabled=False)
    page.goto(link)
    page.get_by_role("heading", name="Email confirmed").wait_for()
    page.goto(link)
    page.get_by_role("heading", name="This link does not work").wait_for()
    client().auth.sign_in_with_password({"email": email, "password": password})


def test_a_profile_is_accessible_only_to_its_owner(client, signed_in):
    owner, email, _ = signed_in("business_owner")
    other, _, _ = signed_in()
    user_id = owner.auth.get_user().user.id
    table = owner.table("profiles")
    row = table.select("*").eq("id", user_id.upper()).single().execute().data
    assert (row["email"], row["role"]) == (email, "business_owner")
    changed = (
        table.update({"bio": "Bakes", "preferences": {"categories": ["food"]}})
        .eq("id", user_id)
        .execute()
        .data
    )
    assert changed[0]["preferences"] == {"categories": ["food"]}
    assert len(table.select("id").execute().data) == 1

    for other_client in (other, client()):
        rows = other_client.table("profiles")
        assert rows.select("*").eq("id", user_id).execute().data == []
        assert rows.select("*").eq("id", user_id).maybe_single().execute() is None
        assert rows.update({"bio": "x"}).eq("id", user_id).execute().data == []
        assert rows.delete().eq("id", user_id).execute().data == []
        with pytest.raises(APIError) as refused:
            rows.select("*").eq("id", user_id).single().execute()
        assert code_of(refused) == "PGRST116"
        with pytest.raises(APIError) as refused:
            rows.insert({"id": user_id, "full_name": "x"}).execute()
        assert code_of(refused) == "42501"
    assert table.select("bio").execute().data == [{"bio": "Bakes"}]

    service = client("serviceKey").table("profiles")
    counted = service.select("id", count="exact").in_("id", [user_id]).execute()
    assert counted.count == 1


def test_every_failure_has_its_error_code(foyer, client, signed_in, person):
    _, email, password = signed_in()
    attempt = client()
    with pytest.raises(AuthApiError) as refused:
        attempt.auth.sign_in_with_password({"email": email, "password": password + "x"})
    assert code_of(refused) == "invalid_credentials"
    assert refused.value.message == "Invalid login credentials"
    with pytest.raises(AuthApiError) as refused:
        attempt.auth.sign_up({"email": email, "password": password})
    assert code_of(refused) == "user_already_exists"
    with pytest.raises(AuthWeakPasswordError) as weak:
        attempt.auth.sign_up({"email": person()[0], "password": password[:5]})
    assert weak.value.reasons == ["length"]
    with pytest.raises(AuthApiError) as refused:
        attempt.auth.sign_up({"email": "nora", "password": password})
    assert code_of(refused) == "validation_failed"
    attempt.auth.reset_password_for_email(email)
    set_switch(foyer, "mailEveryMinute", True)
    with pytest.raises(AuthApiError) as refused:
        attempt.auth.reset_password_for_email(email)
    set_switch(foyer, "mailEveryMinute", False)
    assert code_of(refused) == "over_email_send_rate_limit"


def test_a_sign_up_does_not_reveal_an_existing_account(foyer, client, signed_in):
    _, email, password = signed_in()
    set_switch(foyer, "confirmEmail", True)
    response = client().auth.sign_up({"email": email, "password": password})
    assert response.session is None
    assert response.user.identities == []


def test_a_wrong_api_key_is_rejected(client, person):
    email, password = person()
    with pytest.raises(AuthApiError) as refused:
        client("wrong").auth.sign_in_with_password({"email": email, "password": password})
    assert refused.value.message == "Invalid API key"
