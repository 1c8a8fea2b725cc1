import Support
import Web

/// `accounts:update`.
extension ClarityCase {
    /// An update of somebody just signed up.
    private static func update(_ name: String, _ members: String, privacy: Bool = true)
        -> ContractCase
    {
        of("update/" + name) { fixture in
            let token = await fixture.person().idToken
            if !privacy { try await fixture.turn("emailPrivacy", on: false) }
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
        of("update/email-exists") { fixture in
            await fixture.person("eve@example.com")
            try await fixture.turn("emailPrivacy", on: false)
            let token = await fixture.person().idToken
            return .google("update", #"{"idToken":"\#(token)","email":"eve@example.com"}"#)
        }, update("disables", #""disableUser":true"#),
        update("claims", #""customAttributes":"{}""#),
        google("update/nobody", "update", #"{"displayName":"Ada"}"#),
        of("update/code") { fixture in
            let code = try await fixture.verificationCode(await fixture.person().idToken)
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        of("update/code-used") { fixture in
            let code = try await fixture.verificationCode(await fixture.person().idToken)
            _ = await fixture.google("update", ["oobCode": .string(code)])
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        of("update/code-expired") { fixture in
            let code = try await fixture.verificationCode(await fixture.person().idToken)
            fixture.frozen.advance(by: 86_400)
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        of("update/code-for-a-reset") { fixture in
            await fixture.person()
            let code = try await fixture.resetCode()
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        }, google("update/code-unknown", "update", #"{"oobCode":"x"}"#),
    ]
}
