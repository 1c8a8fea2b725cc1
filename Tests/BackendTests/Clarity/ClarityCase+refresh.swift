import Support
import Web

/// The refresh endpoint, Secure Token.
extension ClarityCase {
    static let refresh: [ContractCase] = [
        testCase("token/form") { fixture in
            let reply = await fixture.signUpWithFirebase()
            fixture.frozen.advance(by: 60)
            return .secureToken(refreshForm(reply))
        },
        testCase("token/json") { fixture in
            let reply = await fixture.signUpWithFirebase()
            return .secureToken(
                #"{"grantType":"refresh_token","refreshToken":"\#(reply.googleRefreshToken)"}"#,
                type: "application/json")
        },
        testCase("token/snake-case") { fixture in
            let reply = await fixture.signUpWithFirebase()
            return .secureToken(
                #"{"grant_type":"refresh_token","refresh_token":"\#(reply.googleRefreshToken)"}"#,
                type: "application/json")
        },
        testCase("token/no-key") { fixture in
            let reply = await fixture.signUpWithFirebase()
            return .post(
                BackendFixture.clarity + "/securetoken.googleapis.com/v1/token", refreshForm(reply),
                type: "application/x-www-form-urlencoded")
        }, testCase("token/missing-grant") { _ in .secureToken("refresh_token=x") },
        testCase("token/other-grant") { _ in .secureToken("grant_type=password&refresh_token=x") },
        testCase("token/missing") { _ in .secureToken("grant_type=refresh_token") },
        testCase("token/unknown") { _ in .secureToken("grant_type=refresh_token&refresh_token=x") },
        testCase("token/malformed-form") { _ in .secureToken("grant_type=%zz") },
        testCase("token/disabled") { fixture in
            let reply = await fixture.signUpWithFirebase()
            try await fixture.disableAllAccounts()
            return .secureToken(refreshForm(reply))
        },
        testCase("token/password-changed") { fixture in
            let reply = await fixture.signUpWithFirebase()
            _ = await fixture.google(
                "update",
                [
                    "idToken": .string(reply.idToken),
                    "password": .string(BackendFixture.newPassword),
                ])
            return .secureToken(refreshForm(reply))
        },
        testCase("token/deleted") { fixture in
            let reply = await fixture.signUpWithFirebase()
            _ = await fixture.google("delete", ["idToken": .string(reply.idToken)])
            return .secureToken(refreshForm(reply))
        },
    ]

    static func refreshForm(_ reply: Reply) -> String {
        "grant_type=refresh_token&refresh_token=\(reply.googleRefreshToken)"
    }
}
