import Support
import Web

/// The Cognito backend's registration and sessions.
extension ClarityCase {
    static let cognitoCredentials =
        #"{"email":"ada@example.com","password":"correct horse","display_name":"Ada"}"#

    private static func cognitoCase(_ name: String, _ path: String, _ body: String) -> ContractCase
    {
        testCase("cognito/" + name) { _ in .cognito(path, body) }
    }

    static let cognito: [ContractCase] =
        [
            cognitoCase("register/waits", "/register", cognitoCredentials),
            testCase("cognito/register/turned-off") { fixture in
                try await fixture.setSwitch("selfSignUp", isOn: false)
                return .cognito("/register", cognitoCredentials)
            },
            testCase("cognito/register/without-confirmation") { fixture in
                try await fixture.setSwitch("confirmEmail", isOn: false)
                return .cognito("/register", cognitoCredentials)
            },
            testCase("cognito/register/exists") { fixture in
                await fixture.signUpWithFirebase()
                return .cognito("/register", cognitoCredentials)
            }, cognitoCase("register/weak", "/register", #"{"email":"ada","password":"1234567"}"#),
            cognitoCase("register/missing", "/register", "{}"),
            testCase("cognito/register/too-often") { fixture in
                for number in 0..<5 {
                    _ = await fixture.send(
                        .cognito(
                            "/register",
                            #"{"email":"p\#(number)@example.com","password":"correct horse"}"#))
                }
                return .cognito("/register", cognitoCredentials)
            },
            testCase("cognito/login/signed-in") { fixture in
                try await fixture.signUpWithCognito()
                return .cognito("/login", cognitoCredentials)
            },
            testCase("cognito/login/unverified") { fixture in
                _ = await fixture.send(.cognito("/register", cognitoCredentials))
                return .cognito("/login", cognitoCredentials)
            }, cognitoCase("login/unknown", "/login", cognitoCredentials),
            testCase("cognito/login/locked") { fixture in
                try await fixture.signUpWithCognito()
                for _ in 0..<3 { _ = await fixture.send(.cognito("/login", wrongCredentials)) }
                return .cognito("/login", cognitoCredentials)
            },
            testCase("cognito/login/too-often") { fixture in
                for number in 0..<10 {
                    _ = await fixture.send(
                        .cognito("/login", #"{"email":"p\#(number)@example.com","password":"x"}"#))
                }
                return .cognito("/login", cognitoCredentials)
            },
            cognitoCase("login/missing", "/login", "{}"),
            cognitoCase("login/malformed", "/login", "{"),
            cognitoCase("not-found", "/nothing", "{}"),
            cognitoCase("wrong-method", "/me", "{}"),
        ] + cognitoSessions + userPool

    private static let cognitoSessions: [ContractCase] = [
        testCase("cognito/me/known") { fixture in
            cognitoMeRequest(try await fixture.signUpWithCognito().accessToken)
        },
        testCase("cognito/me/nobody") { _ in cognitoMeRequest(nil) },
        testCase("cognito/me/firebases") { fixture in
            cognitoMeRequest(await fixture.signUpWithFirebase().idToken)
        },
        testCase("cognito/me/signed-out") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            _ = await fixture.send(.cognito("/logout", bearer: token))
            return cognitoMeRequest(token)
        },
        testCase("cognito/me/renamed") { fixture in
            cognitoUpdateRequest(
                try await fixture.signUpWithCognito().accessToken,
                #"{"display_name":"Ada Lovelace"}"#)
        },
        testCase("cognito/me/readdressed") { fixture in
            cognitoUpdateRequest(
                try await fixture.signUpWithCognito().accessToken,
                #"{"email":"Countess@example.com"}"#)
        },
        testCase("cognito/me/unchanged") { fixture in
            cognitoUpdateRequest(try await fixture.signUpWithCognito().accessToken, "{}")
        },
        testCase("cognito/me/address-taken") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            await fixture.signUpWithFirebase("eve@example.com")
            return cognitoUpdateRequest(token, #"{"email":"eve@example.com"}"#)
        },
        testCase("cognito/me/name-too-long") { fixture in
            let name = String(repeating: "x", count: 257)
            return cognitoUpdateRequest(
                try await fixture.signUpWithCognito().accessToken, #"{"display_name":"\#(name)"}"#)
        },
        testCase("cognito/me/renamed-without-token") { _ in
            cognitoUpdateRequest(nil, #"{"display_name":"Ada"}"#)
        },
        testCase("cognito/refresh/by-body") { fixture in
            let token = try await fixture.signUpWithCognito().refreshToken
            return .cognito("/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        testCase("cognito/refresh/by-bearer") { fixture in
            let token = try await fixture.signUpWithCognito().refreshToken
            return .cognito("/refresh", bearer: token)
        }, cognitoCase("refresh/missing", "/refresh", "{}"),
        testCase("cognito/refresh/empty") { _ in .cognito("/refresh") },
        testCase("cognito/refresh/unverified") { fixture in
            let token = await fixture.signUpWithFirebase().googleRefreshToken
            return .cognito("/refresh", bearer: token)
        }, cognitoCase("refresh/unknown", "/refresh", #"{"refresh_token":"x"}"#),
        testCase("cognito/logout/by-bearer") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            return .cognito("/logout", bearer: token)
        },
        testCase("cognito/logout/by-body") { fixture in
            let token = try await fixture.signUpWithCognito().refreshToken
            return .cognito("/logout", #"{"refresh_token":"\#(token)"}"#)
        },
        testCase("cognito/logout/by-bearer-with-body") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            return .cognito("/logout", "{}", bearer: token)
        },
        testCase("cognito/logout/by-refresh-token-as-bearer") { fixture in
            let token = try await fixture.signUpWithCognito().refreshToken
            return .cognito("/logout", "{}", bearer: token)
        }, cognitoCase("logout/missing", "/logout", "{}"),
        testCase("cognito/logout/not-ours") { _ in .cognito("/logout", bearer: "rt_x") },
        testCase("cognito/logout/nobody") { _ in .cognito("/logout") },
        cognitoCase("logout/unknown", "/logout", #"{"refresh_token":"x"}"#),
    ]

    private static func cognitoUpdateRequest(_ token: String?, _ body: String) -> Request {
        var request = Request.cognito("/me", body, bearer: token)
        request.method = .put
        return request
    }

    private static func cognitoMeRequest(_ token: String?) -> Request {
        var request = meRequest(token)
        request.target = BackendFixture.clarity + "/cognito/api/v1/auth/me"
        return request
    }
}
