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
            of("cognito/register/turned-off") { house in
                try await house.turn("selfSignUp", on: false)
                return .cognito("/register", cognitoPerson)
            },
            of("cognito/register/exists") { house in
                await house.person()
                return .cognito("/register", cognitoPerson)
            }, posting("register/weak", "/register", #"{"email":"ada","password":"1234567"}"#),
            posting("register/missing", "/register", "{}"),
            of("cognito/register/too-often") { house in
                for number in 0..<5 {
                    _ = await house.send(
                        .cognito(
                            "/register",
                            #"{"email":"p\#(number)@example.com","password":"correct horse"}"#))
                }
                return .cognito("/register", cognitoPerson)
            },
            of("cognito/login/signed-in") { house in
                try await house.confirmed()
                return .cognito("/login", cognitoPerson)
            },
            of("cognito/login/unverified") { house in
                _ = await house.send(.cognito("/register", cognitoPerson))
                return .cognito("/login", cognitoPerson)
            }, posting("login/unknown", "/login", cognitoPerson),
            of("cognito/login/locked") { house in
                try await house.confirmed()
                for _ in 0..<3 { _ = await house.send(.cognito("/login", wrong)) }
                return .cognito("/login", cognitoPerson)
            },
            of("cognito/login/too-often") { house in
                for number in 0..<10 {
                    _ = await house.send(
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
        of("cognito/me/known") { house in cognitoMe(try await house.confirmed().accessToken) },
        of("cognito/me/nobody") { _ in cognitoMe(nil) },
        of("cognito/me/firebases") { house in cognitoMe(await house.person().idToken) },
        of("cognito/me/signed-out") { house in
            let token = try await house.confirmed().accessToken
            _ = await house.send(.cognito("/logout", bearer: token))
            return cognitoMe(token)
        },
        of("cognito/refresh/by-body") { house in
            let token = try await house.confirmed().refreshToken
            return .cognito("/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        of("cognito/refresh/by-bearer") { house in
            let token = try await house.confirmed().refreshToken
            return .cognito("/refresh", bearer: token)
        }, posting("refresh/missing", "/refresh", "{}"),
        of("cognito/refresh/empty") { _ in .cognito("/refresh") },
        of("cognito/refresh/unverified") { house in
            let token = await house.person().googleRefreshToken
            return .cognito("/refresh", bearer: token)
        }, posting("refresh/unknown", "/refresh", #"{"refresh_token":"x"}"#),
        of("cognito/logout/by-bearer") { house in
            let token = try await house.confirmed().accessToken
            return .cognito("/logout", bearer: token)
        },
        of("cognito/logout/by-body") { house in
            let token = try await house.confirmed().refreshToken
            return .cognito("/logout", #"{"refresh_token":"\#(token)"}"#)
        },
        of("cognito/logout/by-bearer-with-body") { house in
            let token = try await house.confirmed().accessToken
            return .cognito("/logout", "{}", bearer: token)
        },
        of("cognito/logout/by-refresh-token-as-bearer") { house in
            let token = try await house.confirmed().refreshToken
            return .cognito("/logout", "{}", bearer: token)
        }, posting("logout/missing", "/logout", "{}"),
        of("cognito/logout/not-ours") { _ in .cognito("/logout", bearer: "rt_x") },
        of("cognito/logout/nobody") { _ in .cognito("/logout") },
        posting("logout/unknown", "/logout", #"{"refresh_token":"x"}"#),
    ]

    private static func cognitoMe(_ token: String?) -> Request {
        var request = me(token)
        request.target = BackendHouse.clarity + "/cognito/api/v1/auth/me"
        return request
    }
}
