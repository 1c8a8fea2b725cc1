import Support
import Web

/// Secure Token.
extension ClarityCase {
    static let refresh: [ContractCase] = [
        of("token/form") { fixture in
            let reply = await fixture.person()
            fixture.frozen.advance(by: 60)
            return .secureToken(form(reply))
        },
        of("token/json") { fixture in
            let reply = await fixture.person()
            return .secureToken(
                #"{"grantType":"refresh_token","refreshToken":"\#(reply.googleRefreshToken)"}"#,
                type: "application/json")
        },
        of("token/snake-case") { fixture in
            let reply = await fixture.person()
            return .secureToken(
                #"{"grant_type":"refresh_token","refresh_token":"\#(reply.googleRefreshToken)"}"#,
                type: "application/json")
        },
        of("token/no-key") { fixture in
            let reply = await fixture.person()
            return .post(
                BackendFixture.clarity + "/securetoken.googleapis.com/v1/token", form(reply),
                type: "application/x-www-form-urlencoded")
        }, of("token/missing-grant") { _ in .secureToken("refresh_token=x") },
        of("token/other-grant") { _ in .secureToken("grant_type=password&refresh_token=x") },
        of("token/missing") { _ in .secureToken("grant_type=refresh_token") },
        of("token/unknown") { _ in .secureToken("grant_type=refresh_token&refresh_token=x") },
        of("token/malformed-form") { _ in .secureToken("grant_type=%zz") },
        of("token/disabled") { fixture in
            let reply = await fixture.person()
            try await fixture.disableAll()
            return .secureToken(form(reply))
        },
        of("token/password-changed") { fixture in
            let reply = await fixture.person()
            _ = await fixture.google(
                "update",
                [
                    "idToken": .string(reply.idToken),
                    "password": .string(BackendFixture.newPassword),
                ])
            return .secureToken(form(reply))
        },
        of("token/deleted") { fixture in
            let reply = await fixture.person()
            _ = await fixture.google("delete", ["idToken": .string(reply.idToken)])
            return .secureToken(form(reply))
        },
    ]

    static func form(_ reply: Reply) -> String {
        "grant_type=refresh_token&refresh_token=\(reply.googleRefreshToken)"
    }
}
