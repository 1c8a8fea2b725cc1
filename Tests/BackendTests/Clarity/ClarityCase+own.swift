import Support
import Web

/// Clarity's own backend.
extension ClarityCase {
    static let names =
        #"{"email":"ada@example.com","password":"correct horse","first_name":"Ada","last_name":"Lovelace","terms_accepted":true,"privacy_policy_accepted":true}"#

    private static func registering(_ name: String, _ body: String) -> ContractCase {
        of("own/register-" + name) { fixture in
            .own("/register", body, bearer: await fixture.person().idToken)
        }
    }

    static let own: [ContractCase] = [
        registering("created", names),
        of("own/register-again") { fixture in
            let token = await fixture.person().idToken
            _ = await fixture.send(.own("/register", names, bearer: token))
            _ = try await fixture.verificationCode(token)
            fixture.frozen.advance(by: 60)
            return .own("/register", names, bearer: token)
        }, registering("missing", "{}"),
        registering(
            "refused",
            #"{"first_name":"Ada","last_name":"L","terms_accepted":false,"privacy_policy_accepted":true}"#
        ),
        registering(
            "wrong-type",
            #"{"first_name":7,"last_name":"L","terms_accepted":true,"privacy_policy_accepted":true}"#
        ), registering("malformed", "{"),
        registering(
            "other-email",
            #"{"email":"eve@example.com","first_name":"Ada","last_name":"L","terms_accepted":true,"privacy_policy_accepted":true}"#
        ), of("own/register-nobody") { _ in .own("/register", names) },
        of("own/register-expired") { fixture in
            let token = await fixture.person().idToken
            fixture.frozen.advance(by: 3_600)
            return .own("/register", names, bearer: token)
        },
        of("own/register-disabled") { fixture in
            let token = await fixture.person().idToken
            try await fixture.disableAll()
            return .own("/register", names, bearer: token)
        },
        of("own/me") { fixture in
            let token = await fixture.person().idToken
            _ = await fixture.send(.own("/register", names, bearer: token))
            return me(token)
        }, of("own/me-unregistered") { fixture in me(await fixture.person().idToken) },
        of("own/me-nobody") { _ in me(nil) }, of("own/me-not-ours") { _ in me("a.b.c") },
        of("own/me-deleted") { fixture in
            let token = await fixture.person().idToken
            _ = await fixture.google("delete", ["idToken": .string(token)])
            return me(token)
        }, of("own/refresh") { fixture in .own("/refresh", refreshing(await fixture.person())) },
        of("own/refresh-unknown") { _ in .own("/refresh", #"{"refresh_token":"x"}"#) },
        of("own/refresh-missing") { _ in .own("/refresh", "{}") },
        of("own/logout") { fixture in .own("/logout", refreshing(await fixture.person())) },
        of("own/logout-by-bearer") { fixture in
            .own("/logout", bearer: await fixture.person().idToken)
        },
        of("own/logout-by-bearer-with-body") { fixture in
            .own("/logout", "{}", bearer: await fixture.person().idToken)
        },
        of("own/logout-by-refresh-token-as-bearer") { fixture in
            .own("/logout", bearer: await fixture.person().googleRefreshToken)
        }, of("own/logout-missing") { _ in .own("/logout", "{}") },
        of("own/logout-not-ours") { _ in .own("/logout", bearer: "rt_x") },
        of("own/logout-nobody") { _ in .own("/logout") },
        of("own/verify-email") { fixture in
            let code = try await fixture.verificationCode(await fixture.person().idToken)
            return .own("/verify-email?verification_code=\(code)")
        }, of("own/verify-email-unknown") { _ in .own("/verify-email?verification_code=x") },
        of("own/not-found") { _ in .own("/nothing") }, of("own/wrong-method") { _ in .own("/me") },
    ]

    static func me(_ token: String?) -> Request {
        var headers = Headers()
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return Request(
            method: .get, target: BackendFixture.clarity + "/api/v1/auth/me", headers: headers)
    }

    static func refreshing(_ reply: Reply) -> String {
        #"{"refresh_token":"\#(reply.googleRefreshToken)"}"#
    }
}
