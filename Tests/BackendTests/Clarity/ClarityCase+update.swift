import Support
import Web

/// `accounts:update`.
extension ClarityCase {
    /// An update of an account that was just created.
    private static func update(_ name: String, _ members: String, privacy: Bool = false)
        -> ContractCase
    {
        testCase("update/" + name) { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            if privacy { try await fixture.setSwitch("emailPrivacy", isOn: true) }
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
        update("email-private", #""email":"eve@example.com""#, privacy: true),
        update("email", #""email":"Eve@example.com""#),
        update("no-email", #""email":"eve""#),
        testCase("update/email-exists") { fixture in
            await fixture.signUpWithFirebase("eve@example.com")
            let token = await fixture.signUpWithFirebase().idToken
            return .google("update", #"{"idToken":"\#(token)","email":"eve@example.com"}"#)
        }, update("same-email", #""email":"ada@example.com""#),
        update(
            "identity", #""linkProviderUserInfo":{"providerId":"google.com","rawId":"g1"}"#),
        update("revokes", #""validSince":"1""#),
        update("provider", #""provider":["google.com"]"#),
        update("disables", #""disableUser":true"#),
        update("claims", #""customAttributes":"{}""#),
        google("update/nobody", "update", #"{"displayName":"Ada"}"#),
        testCase("update/code") { fixture in
            let code = try await fixture.verificationCode(
                await fixture.signUpWithFirebase().idToken)
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        testCase("update/code-used") { fixture in
            let code = try await fixture.verificationCode(
                await fixture.signUpWithFirebase().idToken)
            _ = await fixture.google("update", ["oobCode": .string(code)])
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        testCase("update/code-expired") { fixture in
            let code = try await fixture.verificationCode(
                await fixture.signUpWithFirebase().idToken)
            fixture.frozen.advance(by: 86_400)
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        },
        testCase("update/code-for-a-reset") { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.resetCode()
            return .google("update", #"{"oobCode":"\#(code)"}"#)
        }, google("update/code-unknown", "update", #"{"oobCode":"x"}"#),
    ]
}
