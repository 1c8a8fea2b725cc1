"""A stand-in for CLARITY's later backend: its own API before Cognito.

Failures are FastAPI's: `{"detail": …}` with a problem or a sentence.
"""

import itertools
import json

AUTH = "/api/v1/auth/"


def problem(status, kind, title, detail):
    return status, {
        "detail": {
            "type": kind,
            "title": title,
            "detail": detail,
            "status": status,
            "instance": f"https://api.clarity.health/requests/{kind}",
        }
    }


class Cognito:
    """Accounts and six-digit codes; `script` of a `StandIn`."""

    def __init__(self, signup=True, confirms=True):
        # ENABLE_SELF_SIGNUP is off unless somebody turns it on.
        self.signup = signup
        self.confirms = confirms
        self.people = {}
        self.codes = {}
        self.refreshes = {}
        self.bodies = []
        self.troubles = {}
        self.numbers = itertools.count(1)

    def __call__(self, method, path, body):
        name = path.removeprefix(AUTH)
        given = json.loads(body) if body else {}
        self.bodies.append((name, given))
        if self.troubles.get(name):
            return self.troubles[name].pop(0)
        play = getattr(self, "_" + name.replace("-", "_"), None)
        return play(given) if play else (404, {"detail": "Not Found"})

    def fail(self, name, answer):
        self.troubles[name] = [answer]

    def bodies_of(self, name):
        return [body for called, body in self.bodies if called == name]

    def add(self, email, password, verified=True, name="Avery Quinn"):
        self.people[email] = {
            "user_id": f"c{next(self.numbers)}",
            "email": email,
            "password": password,
            "email_verified": verified,
            "display_name": name,
            "auth_provider": "cognito",
        }
        return self.people[email]

    def _tokens(self, person):
        number = next(self.numbers)
        refresh = f"cognito-refresh-{number}"
        self.refreshes[refresh] = person["email"]
        self.present = person
        return {
            "access_token": f"cognito-access-{number}",
            "refresh_token": refresh,
            "token_type": "bearer",
            "expires_in": 3600,
            "scope": "full_access",
        }

    def _register(self, given):
        if not self.signup:
            return problem(
                403,
                "self_signup_disabled",
                "Self-Signup Disabled",
                "Self-registration is currently disabled",
            )
        if given["email"] in self.people:
            return 409, {"detail": "User already exists"}
        if len(given["password"]) < 8:
            return 422, {"detail": [{"loc": ["body", "password"]}]}
        person = self.add(
            given["email"], given["password"], not self.confirms, given.get("display_name")
        )
        if not self.confirms:
            return 200, self._tokens(person)
        self._mail(given["email"])
        return 202, {"requires_email_verification": True}

    def _mail(self, email):
        self.codes[email] = f"{next(self.numbers) + 100000}"

    def _login(self, given):
        person = self.people.get(given["email"])
        if person is None or person["password"] != given["password"]:
            return problem(
                401, "invalid_credentials", "Invalid Credentials", "Invalid email or password"
            )
        if not person["email_verified"]:
            return problem(
                403,
                "email_not_verified",
                "Email Not Verified",
                "Please verify your email before logging in",
            )
        return 200, self._tokens(person)

    def _me(self, given):
        shown = dict(self.present)
        shown.pop("password")
        return 200, shown

    def _refresh(self, given):
        if given.get("refresh_token") not in self.refreshes:
            return problem(500, "refresh_error", "Refresh Error", "Failed to refresh token")
        person = self.people[self.refreshes[given["refresh_token"]]]
        return 200, {**self._tokens(person), "refresh_token": given["refresh_token"]}

    def _logout(self, given):
        return 200, {"message": "Successfully logged out"}

    def _confirm_email(self, given):
        if given["email"] not in self.people:
            return problem(404, "user_not_found", "Not Found", "No such user")
        if given["code"] != self.codes.get(given["email"]):
            return problem(400, "invalid_code", "Invalid Code", "The verification code is invalid")
        self.people[given["email"]]["email_verified"] = True
        return 200, {"status": "confirmed"}

    def _sends(self, given):
        if given["email"] not in self.people:
            return problem(404, "user_not_found", "Not Found", "No such user")
        self._mail(given["email"])
        return 200, {"status": "sent"}

    _resend_confirmation = _forgot_password = _sends

    def _reset_password(self, given):
        if given["email"] not in self.people:
            return problem(404, "user_not_found", "Not Found", "No such user")
        if given["code"] != self.codes.get(given["email"]):
            return problem(400, "invalid_code", "Invalid Code", "Wrong code")
        self.people[given["email"]]["password"] = given["new_password"]
        return 200, {"status": "reset"}
