import Support
import Web

/// Requests for mailed codes, and resets with them.
extension ClarityCase {
    private static let resetBody = #"{"requestType":"PASSWORD_RESET","email":"ada@example.com"}"#

    private static func codeRequest(_ name: String, _ body: String) -> ContractCase {
        google("sendOobCode/" + name, "sendOobCode", body)
    }

    static let codeRequests: [ContractCase] = [
        testCase("sendOobCode/verify") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            return .google("sendOobCode", #"{"requestType":"VERIFY_EMAIL","idToken":"\#(token)"}"#)
        },
        testCase("sendOobCode/verify-too-often") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            for _ in 0..<5 { _ = try await fixture.verificationCode(token) }
            return .google("sendOobCode", #"{"requestType":4,"id_token":"\#(token)"}"#)
        }, codeRequest("verify-missing", #"{"requestType":"VERIFY_EMAIL"}"#),
        testCase("sendOobCode/reset") { fixture in
            await fixture.signUpWithFirebase()
            return .google("sendOobCode", resetBody)
        }, codeRequest("reset-unknown", resetBody),
        testCase("sendOobCode/reset-unknown-private") { fixture in
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            return .google("sendOobCode", resetBody)
        },
        testCase("sendOobCode/reset-too-often") { fixture in
            for _ in 0..<5 { _ = try await fixture.resetCode() }
            return .google("sendOobCode", resetBody)
        }, codeRequest("reset-missing", #"{"requestType":"PASSWORD_RESET"}"#),
        codeRequest("reset-no-email", #"{"requestType":1,"email":"ada"}"#),
        codeRequest("no-type", #"{"email":"ada@example.com"}"#),
        codeRequest("unspecified", #"{"requestType":0}"#),
        codeRequest("email-link", #"{"requestType":"EMAIL_SIGNIN","email":"ada@example.com"}"#),
        codeRequest("link-asked-for", #"{"requestType":"PASSWORD_RESET","returnOobLink":true}"#),
        codeRequest("relative", #"{"requestType":"PASSWORD_RESET","continueUrl":"/here"}"#),
        codeRequest("script", #"{"requestType":"PASSWORD_RESET","continueUrl":"javascript:x"}"#),
        codeRequest("recovery", #"{"requestType":"RECOVER_EMAIL"}"#),
        codeRequest("unknown-type", #"{"requestType":"RESET"}"#),
        testCase("sendOobCode/to-an-app") { fixture in
            await fixture.createAda()
            return .admin(
                ":sendOobCode",
                #"{"requestType":1,"email":"ada@example.com","returnOobLink":true,"#
                    + #""continueUrl":"myapp://callback?a=b"}"#)
        },
    ]

    /// A reset with a mailed code and `members`.
    private static func passwordReset(
        _ name: String, _ members: String = "", after seconds: Double = 0
    )
        -> ContractCase
    {
        testCase("resetPassword/" + name) { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.resetCode()
            fixture.frozen.advance(by: seconds)
            return .google("resetPassword", #"{"oobCode":"\#(code)"\#(members)}"#)
        }
    }

    static let passwordResets: [ContractCase] = [
        passwordReset("looked-at"), passwordReset("done", #","newPassword":"a new password""#),
        passwordReset("weak", #","newPassword":"12345""#),
        passwordReset("expired", #","newPassword":"a new password""#, after: 3_600),
        testCase("resetPassword/used") { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.resetCode()
            let body = #"{"oobCode":"\#(code)","newPassword":"a new password"}"#
            _ = await fixture.send(.google("resetPassword", body))
            return .google("resetPassword", body)
        },
        testCase("resetPassword/of-an-earlier-mail") { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.resetCode()
            _ = try await fixture.resetCode()
            return .google("resetPassword", #"{"oobCode":"\#(code)"}"#)
        },
        testCase("resetPassword/disabled") { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.resetCode()
            try await fixture.disableAllAccounts()
            return .google(
                "resetPassword", #"{"oobCode":"\#(code)","newPassword":"a new password"}"#)
        },
        testCase("resetPassword/looked-at-verification") { fixture in
            let code = try await fixture.verificationCode(
                await fixture.signUpWithFirebase().idToken)
            return .google("resetPassword", #"{"oobCode":"\#(code)"}"#)
        },
        testCase("resetPassword/by-verification") { fixture in
            let code = try await fixture.verificationCode(
                await fixture.signUpWithFirebase().idToken)
            return .google(
                "resetPassword", #"{"oobCode":"\#(code)","newPassword":"a new password"}"#)
        }, google("resetPassword/unknown", "resetPassword", #"{"oobCode":"x"}"#),
        google("resetPassword/missing", "resetPassword", "{}"),
    ]
}
