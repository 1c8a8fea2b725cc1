import Support
import Web

/// `accounts:update`.
extension ClarityCase {
    /// An update of somebody just signed up.
    private static func update(_ name: String, _ members: String, privacy: Bool = true)
        -> ContractCase
    {
        of("update/" + name) { house in
            let token = await house.person().idToken
            if !privacy { try await house.turn("emailPrivacy", on: false) }
            return .google("update", #"{"idToken":"\#(token)",\#(members)}"#)
        }
    }

    static let update: [ContractCase] = [
        update("name", #""displayName":"Ada","photoURL":"https://x/a.png""#),
        update("nulls", #""displayName":"Ada","photoURL":null,"deleteAttribute":null"#),
        update("forgets", #""deleteAttribute":["DISPLAY_NAME",4]"#),
        update("forgets-provider", #""deleteProvider":["password"]"#),
        update("forgets-no-provider", #""deleteProvider":[]"#),
        update("forgets-password", #""deleteAttribute":["PASSWORD"]"#),
        update("password", #""password":"a new password","returnSecureToken":true"#),
        update("weak", #""password":"12345""#),
        update("email-private", #""email":"eve@example.com""#),
        update("email", #""email":"Eve@example.com""#, privacy: false),
        update("no-email", #""email":"eve""#, privacy: false),
        of("update/email-exists") { house in
            await house.person("eve@example.com")
            try await house.turn("emailPrivacy", on: false)
            let token = await house.person().idToken
            return .google("update", #"{"idToken":"\#(token)","email":"eve@example.com"}"#)
        }, update("disables", #""disableUser":true"#),
        update("claims", #""customAttributes":"{}""#),
        google("update/nobody", "update", #"{"displayName":"Ada"}"#),
        of("update/code") { house in
            let code = try await house.verificationCode(await house.person().idToken)
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        of("update/code-used") { house in
            let code = try await house.verificationCode(await house.person().idToken)
            _ = await house.google("update", ["oobCode": .string(code)])
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        of("update/code-expired") { house in
            let code = try await house.verificationCode(await house.person().idToken)
            house.frozen.advance(by: 86_400)
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        of("update/code-for-a-reset") { house in
            await house.person()
            let code = try await house.resetCode()
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        }, google("update/code-unknown", "update", #"{"oobCode":"x"}"#),
    ]
}
