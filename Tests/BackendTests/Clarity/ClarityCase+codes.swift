import Support
import Web

/// Mailed codes: asked for, and used by an app.
extension ClarityCase {
    private static let resetting = #"{"requestType":"PASSWORD_RESET","email":"ada@example.com"}"#

    private static func sending(_ name: String, _ body: String) -> ContractCase {
        google("sendOobCode/" + name, "sendOobCode", body)
    }

    static let sending: [ContractCase] = [
        of("sendOobCode/verify") { fixture in
            let token = await fixture.person().idToken
            return .google("sendOobCode", #"{"requestType":"VERIFY_EMAIL","idToken":"\#(token)"}"#)
        },
        of("sendOobCode/verify-too-often") { fixture in
            let token = await fixture.person().idToken
            for _ in 0..<5 { _ = try await fixture.verificationCode(token) }
            return .google("sendOobCode", #"{"requestType":4,"id_token":"\#(token)"}"#)
        }, sending("verify-missing", #"{"requestType":"VERIFY_EMAIL"}"#),
        of("sendOobCode/reset") { fixture in
            await fixture.person()
            return .google("sendOobCode", resetting)
        }, sending("reset-unknown", resetting),
        of("sendOobCode/reset-unknown-told") { fixture in
            try await fixture.turn("emailPrivacy", on: false)
            return .google("sendOobCode", resetting)
        },
        of("sendOobCode/reset-too-often") { fixture in
            for _ in 0..<5 { _ = try await fixture.resetCode() }
            return .google("sendOobCode", resetting)
        }, sending("reset-missing", #"{"requestType":"PASSWORD_RESET"}"#),
        sending("reset-no-email", #"{"requestType":1,"email":"ada"}"#),
        sending("no-type", #"{"email":"ada@example.com"}"#),
        sending("unspecified", #"{"requestType":0}"#),
        sending("email-link", #"{"requestType":"EMAIL_SIGNIN","email":"ada@example.com"}"#),
        sending("link-asked-for", #"{"requestType":"PASSWORD_RESET","returnOobLink":true}"#),
        sending("relative", #"{"requestType":"PASSWORD_RESET","continueUrl":"javascript:x"}"#),
    ]

    /// A reset mail's code in a body with `members`.
    private static func using(_ name: String, _ members: String = "", after seconds: Double = 0)
        -> ContractCase
    {
        of("resetPassword/" + name) { fixture in
            await fixture.person()
            let code = try await fixture.resetCode()
            fixture.frozen.advance(by: seconds)
            return .google("resetPassword", #"{"oobCode":"\#(code)"\#(members)}"#)
        }
    }

    static let using: [ContractCase] = [
        using("looked-at"), using("done", #","newPassword":"a new password""#),
        using("weak", #","newPassword":"12345""#),
        using("expired", #","newPassword":"a new password""#, after: 3_600),
        of("resetPassword/used") { fixture in
            await fixture.person()
            let code = try await fixture.resetCode()
            let body = #"{"oobCode":"\#(code)","newPassword":"a new password"}"#
            _ = await fixture.send(.google("resetPassword", body))
            return .google("resetPassword", body)
        },
        of("resetPassword/replaced") { fixture in
            await fixture.person()
            let code = try await fixture.resetCode()
            _ = try await fixture.resetCode()
            return .google("resetPassword", #"{"oobCode":"\#(code)"}"#)
        },
        of("resetPassword/disabled") { fixture in
            await fixture.person()
            let code = try await fixture.resetCode()
            try await fixture.disableAll()
            return .google(
                "resetPassword", #"{"oobCode":"\#(code)","newPassword":"a new password"}"#)
        },
        of("resetPassword/looked-at-verification") { fixture in
            let code = try await fixture.verificationCode(await fixture.person().idToken)
            return .google("resetPassword", #"{"oobCode":"\#(code)"}"#)
        },
        of("resetPassword/by-verification") { fixture in
            let code = try await fixture.verificationCode(await fixture.person().idToken)
            return .google(
                "resetPassword", #"{"oobCode":"\#(code)","newPassword":"a new password"}"#)
        }, google("resetPassword/unknown", "resetPassword", #"{"oobCode":"x"}"#),
        google("resetPassword/missing", "resetPassword", "{}"),
    ]
}
