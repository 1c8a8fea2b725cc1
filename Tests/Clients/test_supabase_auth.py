"""supabase-auth and its predecessor gotrue from PyPI, unmodified, against the embedded backend.

Every public method is called, with its main failure. Both clients have the same interface.
"""

import itertools

import gotrue
import gotrue.errors
import pytest
import supabase_auth
import supabase_auth.errors
from foyer import MARK
from links import allow_at_provider, follow, items, totp

numbers = itertools.count(1)
APP = "http://localhost:3000/app"
LIBRARIES = {"supabase_auth": supabase_auth, "gotrue": gotrue}


@pytest.fixture(params=LIBRARIES)
def library(request):
    return LIBRARIES[request.param]


@pytest.fixture
def project(foyer):
    return foyer.api("GET", "/api/backend")["clients"]["supabase"]


@pytest.fixture
def client(library, project):
    """Makes clients, each with its own session."""

    def make(key="anonKey", **options):
        key = project[key]
        return library.SyncGoTrueClient(
            url=project["url"] + "/auth/v1",
            headers={"apikey": key, "Authorization": f"Bearer {key}"},
            auto_refresh_token=False,
            **options,
        )

    return make


@pytest.fixture
def admin(client):
    return client("serviceKey").admin


@pytest.fixture
def person():
    number = next(numbers)
    return {
        "email": f"supabase-{number}@example.com",
        "password": f"{MARK}-supabase-{number}",
        "phone": f"+1555{number:07}",
    }


@pytest.fixture
def signed_in(foyer, client, admin, person):
    """A client with a session of a new, confirmed user."""
    admin.create_user({**credentials(person), "email_confirm": True})
    auth = client()
    auth.sign_in_with_password(credentials(person))
    remember(foyer, auth)
    return auth


@pytest.fixture
def switch(foyer):
    """Sets switches of the project until the end of the test."""
    before = foyer.api("GET", "/api/backend")["contracts"]["socoto"]["switches"]
    changed = set()

    def change(name, on):
        changed.add(name)
        foyer.api("PATCH", "/api/backend/socoto", {"switches": {name: on}})

    yield change
    for name in changed:
        foyer.api("PATCH", "/api/backend/socoto", {"switches": {name: before[name]["on"]}})


def credentials(person):
    return {"email": person["email"], "password": person["password"]}


def remember(foyer, auth):
    session = auth.get_session()
    foyer.tokens |= {session.access_token, session.refresh_token}


def failure(call, *arguments):
    """Calls a method that fails, and returns status and code of the error."""
    with pytest.raises((supabase_auth.errors.AuthApiError, gotrue.errors.AuthApiError)) as caught:
        call(*arguments)
    return caught.value.status, caught.value.code


def test_sign_up_needs_confirmation_and_a_password_of_six_characters(foyer, client, person):
    auth = client()
    response = auth.sign_up(credentials(person))
    assert response.session is None
    assert failure(auth.sign_in_with_password, credentials(person)) == (400, "email_not_confirmed")
    code = foyer.mail(person["email"])["code"]
    confirmed = auth.verify_otp({"email": person["email"], "token": code, "type": "signup"})
    assert confirmed.session.user.id == response.user.id
    with pytest.raises(
        (supabase_auth.errors.AuthWeakPasswordError, gotrue.errors.AuthWeakPasswordError)
    ):
        auth.sign_up({"email": f"weak-{person['email']}", "password": "short"})


def test_a_session_is_read_refreshed_set_and_signed_out(foyer, client, signed_in, person):
    session = signed_in.get_session()
    assert signed_in.get_user().user.email == person["email"]
    assert signed_in.get_claims()["claims"]["session_id"]
    refreshed = signed_in.refresh_session().session
    assert refreshed.refresh_token != session.refresh_token
    other = client()
    other.set_session(refreshed.access_token, refreshed.refresh_token)
    assert other.get_user().user.id == session.user.id
    remember(foyer, signed_in)
    signed_in.sign_out({"scope": "global"})
    assert signed_in.get_session() is None
    assert failure(other.refresh_session)[1] in ("session_not_found", "refresh_token_not_found")
    assert failure(client().get_user, refreshed.access_token) == (403, "session_not_found")


def test_sign_out_of_others_keeps_this_session(foyer, client, signed_in, person):
    other = client()
    other.sign_in_with_password(credentials(person))
    remember(foyer, other)
    signed_in.sign_out({"scope": "others"})
    token = other.get_session().access_token
    assert failure(client().get_user, token) == (403, "session_not_found")


def test_a_wrong_password_and_an_unknown_address_are_the_same_failure(client, person, signed_in):
    auth = client()
    wrong = {"email": person["email"], "password": "wrong-password"}
    unknown = {"email": f"unknown-{person['email']}", "password": "wrong-password"}
    for credential in (wrong, unknown):
        assert failure(auth.sign_in_with_password, credential) == (400, "invalid_credentials")


def test_an_anonymous_user_becomes_permanent(foyer, client, person, switch):
    switch("anonymousUsers", True)
    auth = client()
    user = auth.sign_in_anonymously().user
    remember(foyer, auth)
    assert user.is_anonymous
    assert failure(auth.update_user, {"password": person["password"]}) == (422, "validation_failed")
    auth.update_user({"email": person["email"]})
    mail = foyer.mailbox.wait(person["email"])
    verified = auth.verify_otp(
        {"email": person["email"], "token": mail["code"], "type": "email_change"}
    )
    assert verified.user.id == user.id
    remember(foyer, auth)
    permanent = auth.update_user({"password": person["password"]}).user
    assert permanent.is_anonymous is False
    switch("anonymousUsers", False)
    assert failure(client().sign_in_anonymously) == (422, "anonymous_provider_disabled")


def test_a_magic_link_and_a_code_sign_in(foyer, client, person, signed_in):
    auth = client()
    auth.sign_in_with_otp({"email": person["email"]})
    mail = foyer.mailbox.wait(person["email"])
    assert items(follow(mail["link"]))["access_token"]
    foyer.clock.advance(2)  # One mail per second.
    auth.sign_in_with_otp({"email": person["email"]})
    mail = foyer.mailbox.wait(person["email"], since=mail["sentAt"])
    session = auth.verify_otp(
        {"email": person["email"], "token": mail["code"], "type": "email"}
    ).session
    assert session.user.email == person["email"]
    remember(foyer, auth)
    unknown = {"email": f"no-{person['email']}", "options": {"should_create_user": False}}
    assert failure(auth.sign_in_with_otp, unknown) == (422, "otp_disabled")
    wrong = {"email": person["email"], "token": "000000", "type": "email"}
    assert failure(auth.verify_otp, wrong) == (403, "otp_expired")


def test_a_text_message_signs_in(foyer, client, person, switch):
    auth = client()
    auth.sign_in_with_otp({"phone": person["phone"]})
    message = foyer.mailbox.wait(person["phone"])
    assert message["channel"] == "textMessage"
    session = auth.verify_otp(
        {"phone": person["phone"], "token": message["code"], "type": "sms"}
    ).session
    assert session.user.phone == person["phone"].lstrip("+")
    remember(foyer, auth)
    switch("phoneProvider", False)
    assert failure(auth.sign_in_with_otp, {"phone": person["phone"]}) == (
        400,
        "phone_provider_disabled",
    )


def test_a_mail_is_sent_again(foyer, client, person):
    auth = client()
    auth.sign_up(credentials(person))
    first = foyer.mail(person["email"])
    again = {"type": "signup", "email": person["email"]}
    assert failure(auth.resend, again) == (429, "over_email_send_rate_limit")
    foyer.clock.advance(2)  # One mail per second.
    auth.resend(again)
    assert foyer.mail(person["email"])["id"] != first["id"]


def test_a_forgotten_password_is_replaced(foyer, client, person, signed_in):
    auth = client(flow_type="pkce")
    auth.reset_password_for_email(person["email"], {"redirect_to": APP})
    code = foyer.mailbox.wait(person["email"], purpose="reset")["code"]
    recovery = {"email": person["email"], "token": code, "type": "recovery"}
    session = auth.verify_otp(recovery).session
    assert session.user.email == person["email"]
    remember(foyer, auth)
    assert failure(auth.update_user, {"password": person["password"]}) == (422, "same_password")
    auth.update_user({"password": f"{person['password']}-new"})
    assert failure(auth.verify_otp, recovery) == (403, "otp_expired")
    auth.reset_password_email(f"unknown-{person['email']}")


def test_metadata_and_address_are_updated(foyer, client, person, signed_in):
    assert signed_in.update_user({"data": {"plan": "pro"}}).user.user_metadata["plan"] == "pro"
    new = f"new-{person['email']}"
    assert signed_in.update_user({"email": new}).user.new_email == new
    code = foyer.mailbox.wait(new)["code"]
    changed = signed_in.verify_otp({"email": new, "token": code, "type": "email_change"})
    assert changed.user.email == new
    remember(foyer, signed_in)
    other = client()
    other.sign_up({"email": person["email"], "password": person["password"]})
    other_code = foyer.mail(person["email"])["code"]
    other.verify_otp({"email": person["email"], "token": other_code, "type": "signup"})
    remember(foyer, other)
    assert failure(other.update_user, {"email": new}) == (422, "email_exists")


def test_a_password_change_needs_a_code_in_an_old_session(foyer, client, signed_in, person, switch):
    switch("securePasswordChange", True)
    signed_in.reauthenticate()
    nonce = foyer.mailbox.wait(person["email"], purpose="reauthentication")["code"]
    signed_in.update_user({"password": f"{person['password']}-new", "nonce": nonce})
    signed_in.sign_in_with_password(
        {"email": person["email"], "password": f"{person['password']}-new"}
    )
    remember(foyer, signed_in)


def test_a_second_factor_raises_the_assurance_level(
    foyer, library, client, signed_in, person, admin
):
    mfa = signed_in.mfa
    assert mfa.get_authenticator_assurance_level().next_level == "aal1"
    enrolled = mfa.enroll({"factor_type": "totp", "friendly_name": "Phone", "issuer": "Foyer"})
    assert enrolled.totp.uri.startswith("otpauth://totp/")
    assert "svg" in enrolled.totp.qr_code
    challenge = mfa.challenge({"factor_id": enrolled.id})
    wrong = {"factor_id": enrolled.id, "challenge_id": challenge.id, "code": "000000"}
    assert failure(mfa.verify, wrong) == (422, "mfa_verification_failed")
    mfa.challenge_and_verify({"factor_id": enrolled.id, "code": totp(foyer, enrolled.totp.secret)})
    remember(foyer, signed_in)
    level = mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal2", "aal2")
    signed_in.get_user()
    assert [factor.id for factor in mfa.list_factors().totp] == [enrolled.id]
    other = client()
    user = other.sign_in_with_password(credentials(person)).user
    remember(foyer, other)
    assert failure(other.mfa.unenroll, {"factor_id": enrolled.id}) == (422, "insufficient_aal")
    if library is supabase_auth:  # gotrue cannot read the server's list.
        listed = admin.mfa.list_factors({"user_id": user.id})
        assert [factor.id for factor in listed] == [enrolled.id]
    assert admin.mfa.delete_factor({"user_id": user.id, "id": enrolled.id}).id == enrolled.id
    second = signed_in.mfa.enroll({"factor_type": "totp"})
    assert signed_in.mfa.unenroll({"factor_id": second.id}).id == second.id


def test_a_provider_signs_in_and_its_identity_is_linked_and_unlinked(foyer, client, person, switch):
    auth = client(flow_type="pkce")
    url = auth.sign_in_with_oauth({"provider": "github"}).url
    code = items(allow_at_provider(follow(url), person["email"]))["code"]
    user = auth.exchange_code_for_session({"auth_code": code}).session.user
    remember(foyer, auth)
    assert user.app_metadata["provider"] == "github"
    again = {"auth_code": code, "code_verifier": "v" * 43}
    assert failure(auth.exchange_code_for_session, again) == (404, "flow_state_not_found")
    identities = auth.get_user_identities().identities
    assert [identity.provider for identity in identities] == ["github"]
    assert failure(auth.unlink_identity, identities[0]) == (422, "single_identity_not_deletable")
    switch("manualLinking", True)
    url = auth.link_identity({"provider": "google"}).url
    code = items(allow_at_provider(url, f"other-{person['email']}"))["code"]
    auth.exchange_code_for_session({"auth_code": code})
    remember(foyer, auth)
    google = [i for i in auth.get_user_identities().identities if i.provider == "google"]
    auth.unlink_identity(google[0])
    assert len(auth.get_user_identities().identities) == 1
    switch("manualLinking", False)
    assert failure(auth.link_identity, {"provider": "google"}) == (404, "manual_linking_disabled")


def test_an_id_token_of_a_stranger_is_rejected(client):
    token = {"provider": "google", "token": "a.b.c"}
    assert failure(client().sign_in_with_id_token, token)[0] == 400


def test_sso_is_not_configured(client):
    assert failure(client().sign_in_with_sso, {"domain": "example.com"})[0] in (400, 404, 422)


def test_an_administrator_manages_users(foyer, client, admin, person):
    created = admin.create_user({**credentials(person), "email_confirm": True}).user
    assert failure(admin.create_user, credentials(person)) == (422, "email_exists")
    assert created.id in [user.id for user in admin.list_users(page=1, per_page=1000)]
    assert admin.get_user_by_id(created.id).user.email == person["email"]
    updated = admin.update_user_by_id(
        created.id, {"app_metadata": {"plan": "pro"}, "user_metadata": {"full_name": "Ada"}}
    ).user
    assert updated.app_metadata["plan"] == "pro"
    admin.update_user_by_id(created.id, {"ban_duration": "1h"})
    assert failure(client().sign_in_with_password, credentials(person)) == (400, "user_banned")
    admin.update_user_by_id(created.id, {"ban_duration": "none"})
    auth = client()
    session = auth.sign_in_with_password(credentials(person)).session
    remember(foyer, auth)
    admin.sign_out(session.access_token)
    assert failure(client().get_user, session.access_token) == (403, "session_not_found")
    admin.delete_user(created.id, should_soft_delete=True)
    admin.delete_user(created.id)
    assert failure(admin.get_user_by_id, created.id) == (404, "user_not_found")
    assert failure(client().admin.list_users) == (403, "not_admin")


def test_an_administrator_invites_and_makes_links(foyer, client, admin, person):
    invited = admin.invite_user_by_email(person["email"], {"data": {"full_name": "Ada"}}).user
    assert invited.invited_at
    link = foyer.mailbox.wait(person["email"], purpose="invite")["link"]
    assert items(follow(link))["type"] == "invite"
    for kind in ("magiclink", "recovery"):
        made = admin.generate_link({"type": kind, "email": person["email"]}).properties
        assert made.verification_type == kind
        auth = client()
        session = auth.verify_otp({"token_hash": made.hashed_token, "type": kind}).session
        assert session.user.id == invited.id
        remember(foyer, auth)
    unknown = {"type": "recovery", "email": f"unknown-{person['email']}"}
    assert failure(admin.generate_link, unknown) == (404, "user_not_found")
    signup = admin.generate_link(
        {"type": "signup", "email": f"new-{person['email']}", "password": person["password"]}
    )
    assert "type=signup" in signup.properties.action_link


def test_state_changes_are_announced(client, signed_in, person):
    events = []
    subscription = signed_in.on_auth_state_change(lambda event, _: events.append(event))
    signed_in.refresh_session()
    signed_in.sign_out()
    subscription.unsubscribe()
    assert events == ["TOKEN_REFRESHED", "SIGNED_OUT"]


def test_a_link_initializes_a_client(foyer, library, client, person, signed_in, admin):
    made = admin.generate_link(
        {"type": "magiclink", "email": person["email"], "options": {"redirect_to": APP}}
    ).properties
    auth = client()
    url = follow(made.action_link)
    # gotrue reads the query, where the server has never put tokens.
    auth.initialize(url=url.replace("#", "?") if library is gotrue else url)
    assert auth.get_session().user.email == person["email"]
    remember(foyer, auth)
    auth.initialize_from_storage()
