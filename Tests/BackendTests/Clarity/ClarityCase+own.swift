import Support
import Web

/// Clarity's own backend.
extension ClarityCase {
    static let registrationBody =
        #"{"email":"ada@example.com","password":"correct horse","first_name":"Ada","last_name":"Lovelace","terms_accepted":true,"privacy_policy_accepted":true}"#

    private static func registration(_ name: String, _ body: String) -> ContractCase {
        testCase("own/register-" + name) { fixture in
            .own("/register", body, bearer: await fixture.signUpWithFirebase().idToken)
        }
    }

    static let own: [ContractCase] = [
        registration("created", registrationBody),
        testCase("own/register-again") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            _ = await fixture.send(.own("/register", registrationBody, bearer: token))
            _ = try await fixture.verificationCode(token)
            fixture.frozen.advance(by: 60)
            return .own("/register", registrationBody, bearer: token)
        }, registration("missing", "{}"),
        registration(
            "refused",
            #"{"first_name":"Ada","last_name":"L","terms_accepted":false,"privacy_policy_accepted":true}"#
        ),
        registration(
            "wrong-type",
            #"{"first_name":7,"last_name":"L","terms_accepted":true,"privacy_policy_accepted":true}"#
        ), registration("malformed", "{"),
        registration(
            "other-email",
            #"{"email":"eve@example.com","first_name":"Ada","last_name":"L","terms_accepted":true,"privacy_policy_accepted":true}"#
        ), testCase("own/register-nobody") { _ in .own("/register", registrationBody) },
        testCase("own/register-expired") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            fixture.frozen.advance(by: 3_600)
            return .own("/register", registrationBody, bearer: token)
        },
        testCase("own/register-disabled") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            try await fixture.disableAllAccounts()
            return .own("/register", registrationBody, bearer: token)
        },
        testCase("own/me") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            _ = await fixture.send(.own("/register", registrationBody, bearer: token))
            return meRequest(token)
        },
        testCase("own/me-unregistered") { fixture in
            meRequest(await fixture.signUpWithFirebase().idToken)
        },
        testCase("own/me-nobody") { _ in meRequest(nil) },
        testCase("own/me-not-ours") { _ in meRequest("a.b.c") },
        testCase("own/me-deleted") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            _ = await fixture.google("delete", ["idToken": .string(token)])
            return meRequest(token)
        },
        testCase("own/refresh") { fixture in
            .own("/refresh", refreshBody(await fixture.signUpWithFirebase()))
        },
        testCase("own/refresh-unknown") { _ in .own("/refresh", #"{"refresh_token":"x"}"#) },
        testCase("own/refresh-missing") { _ in .own("/refresh", "{}") },
        testCase("own/logout") { fixture in
            .own("/logout", refreshBody(await fixture.signUpWithFirebase()))
        },
        testCase("own/logout-by-bearer") { fixture in
            .own("/logout", bearer: await fixture.signUpWithFirebase().idToken)
        },
        testCase("own/logout-by-bearer-with-body") { fixture in
            .own("/logout", "{}", bearer: await fixture.signUpWithFirebase().idToken)
        },
        testCase("own/logout-by-refresh-token-as-bearer") { fixture in
            .own("/logout", bearer: await fixture.signUpWithFirebase().googleRefreshToken)
        }, testCase("own/logout-missing") { _ in .own("/logout", "{}") },
        testCase("own/logout-not-ours") { _ in .own("/logout", bearer: "rt_x") },
        testCase("own/logout-nobody") { _ in .own("/logout") },
        testCase("own/verify-email") { fixture in
            let code = try await fixture.verificationCode(
                await fixture.signUpWithFirebase().idToken)
            return .own("/verify-email?verification_code=\(code)")
        }, testCase("own/verify-email-unknown") { _ in .own("/verify-email?verification_code=x") },
        testCase("own/not-found") { _ in .own("/nothing") },
        testCase("own/wrong-method") { _ in .own("/me") },
    ]

    static func meRequest(_ token: String?) -> Request {
        var headers = Headers()
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return Request(
            method: .get, target: BackendFixture.clarity + "/api/v1/auth/me", headers: headers)
    }

    static func refreshBody(_ reply: Reply) -> String {
        #"{"refresh_token":"\#(reply.googleRefreshToken)"}"#
    }
}
