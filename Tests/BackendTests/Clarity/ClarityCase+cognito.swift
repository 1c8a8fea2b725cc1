import Support
import Web

/// The Cognito backend: registering and signing in.
extension ClarityCase {
    static let cognitoPerson =
        #"{"email":"ada@example.com","password":"correct horse","display_name":"Ada"}"#

    private static func posting(_ name: String, _ path: String, _ body: String) -> ContractCase {
        of("cognito/" + name) { _ in .cognito(path, body) }
    }

    static let cognito: [ContractCase] =
        [
            posting("register/waits", "/register", cognitoPerson),
            of("cognito/register/turned-off") { fixture in
                try await fixture.turn("selfSignUp", on: false)
                return .cognito("/register", cognitoPerson)
            },
            of("cognito/register/exists") { fixture in
                await fixture.person()
                return .cognito("/register", cognitoPerson)
            }, posting("register/weak", "/register", #"{"email":"ada","password":"1234567"}"#),
            posting("register/missing", "/register", "{}"),
            of("cognito/register/too-often") { fixture in
                for number in 0..<5 {
                    _ = await fixture.send(
                        .cognito(
                            "/register",
                            #"{"email":"p\#(number)@example.com","password":"correct horse"}"#))
                }
                return .cognito("/register", cognitoPerson)
            },
            of("cognito/login/signed-in") { fixture in
                try await fixture.confirmed()
                return .cognito("/login", cognitoPerson)
            },
            of("cognito/login/unverified") { fixture in
                _ = await fixture.send(.cognito("/register", cognitoPerson))
                return .cognito("/login", cognitoPerson)
            }, posting("login/unknown", "/login", cognitoPerson),
            of("cognito/login/locked") { fixture in
                try await fixture.confirmed()
                for _ in 0..<3 { _ = await fixture.send(.cognito("/login", wrong)) }
                return .cognito("/login", cognitoPerson)
            },
            of("cognito/login/too-often") { fixture in
                for number in 0..<10 {
                    _ = await fixture.send(
                        .cognito("/login", #"{"email":"p\#(number)@example.com","password":"x"}"#))
                }
                return .cognito("/login", cognitoPerson)
            },
            posting("login/missing", "/login", "{}"),
            posting("login/malformed", "/login", "{"),
            posting("not-found", "/nothing", "{}"),
            posting("wrong-method", "/me", "{}"),
        ] + cognitoSessions

    private static let cognitoSessions: [ContractCase] = [
        of("cognito/me/known") { fixture in cognitoMe(try await fixture.confirmed().accessToken) },
        of("cognito/me/nobody") { _ in cognitoMe(nil) },
        of("cognito/me/firebases") { fixture in cognitoMe(await fixture.person().idToken) },
        of("cognito/me/signed-out") { fixture in
            let token = try await fixture.confirmed().accessToken
            _ = await fixture.send(.cognito("/logout", bearer: token))
            return cognitoMe(token)
        },
        of("cognito/refresh/by-body") { fixture in
            let token = try await fixture.confirmed().refreshToken
            return .cognito("/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        of("cognito/refresh/by-bearer") { fixture in
            let token = try await fixture.confirmed().refreshToken
            return .cognito("/refresh", bearer: token)
        }, posting("refresh/missing", "/refresh", "{}"),
        of("cognito/refresh/empty") { _ in .cognito("/refresh") },
        of("cognito/refresh/unverified") { fixture in
            let token = await fixture.person().googleRefreshToken
            return .cognito("/refresh", bearer: token)
        }, posting("refresh/unknown", "/refresh", #"{"refresh_token":"x"}"#),
        of("cognito/logout/by-bearer") { fixture in
            let token = try await fixture.confirmed().accessToken
            return .cognito("/logout", bearer: token)
        },
        of("cognito/logout/by-body") { fixture in
            let token = try await fixture.confirmed().refreshToken
            return .cognito("/logout", #"{"refresh_token":"\#(token)"}"#)
        },
        of("cognito/logout/by-bearer-with-body") { fixture in
            let token = try await fixture.confirmed().accessToken
            return .cognito("/logout", "{}", bearer: token)
        },
        of("cognito/logout/by-refresh-token-as-bearer") { fixture in
            let token = try await fixture.confirmed().refreshToken
            return .cognito("/logout", "{}", bearer: token)
        }, posting("logout/missing", "/logout", "{}"),
        of("cognito/logout/not-ours") { _ in .cognito("/logout", bearer: "rt_x") },
        of("cognito/logout/nobody") { _ in .cognito("/logout") },
        posting("logout/unknown", "/logout", #"{"refresh_token":"x"}"#),
    ]

    private static func cognitoMe(_ token: String?) -> Request {
        var request = me(token)
        request.target = BackendFixture.clarity + "/cognito/api/v1/auth/me"
        return request
    }
}
