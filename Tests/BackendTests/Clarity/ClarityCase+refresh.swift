import Support
import Web

/// Secure Token.
extension ClarityCase {
    static let refresh: [ContractCase] = [
        of("token/form") { house in
            let reply = await house.person()
            house.frozen.advance(by: 60)
            return .secureToken(form(reply))
        },
        of("token/json") { house in
            let reply = await house.person()
            return .secureToken(
                #"{"grantType":"refresh_token","refreshToken":"\#(reply.googleRefreshToken)"}"#,
                type: "application/json")
        },
        of("token/snake-case") { house in
            let reply = await house.person()
            return .secureToken(
                #"{"grant_type":"refresh_token","refresh_token":"\#(reply.googleRefreshToken)"}"#,
                type: "application/json")
        },
        of("token/no-key") { house in
            let reply = await house.person()
            return .post(
                BackendHouse.clarity + "/securetoken.googleapis.com/v1/token", form(reply),
                type: "application/x-www-form-urlencoded")
        }, of("token/missing-grant") { _ in .secureToken("refresh_token=x") },
        of("token/other-grant") { _ in .secureToken("grant_type=password&refresh_token=x") },
        of("token/missing") { _ in .secureToken("grant_type=refresh_token") },
        of("token/unknown") { _ in .secureToken("grant_type=refresh_token&refresh_token=x") },
        of("token/malformed-form") { _ in .secureToken("grant_type=%zz") },
        of("token/disabled") { house in
            let reply = await house.person()
            try await house.disableAll()
            return .secureToken(form(reply))
        },
        of("token/password-changed") { house in
            let reply = await house.person()
            _ = await house.google(
                "update",
                ["idToken": .string(reply.idToken), "password": .string(BackendHouse.newPassword)])
            return .secureToken(form(reply))
        },
        of("token/deleted") { house in
            let reply = await house.person()
            _ = await house.google("delete", ["idToken": .string(reply.idToken)])
            return .secureToken(form(reply))
        },
    ]

    static func form(_ reply: Reply) -> String {
        "grant_type=refresh_token&refresh_token=\(reply.googleRefreshToken)"
    }
}
