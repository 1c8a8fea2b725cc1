import Support
import Web

/// Mailed codes: asked for, and used by an app.
extension ClarityCase {
    private static let resetting = #"{"requestType":"PASSWORD_RESET","email":"ada@example.com"}"#

    private static func sending(_ name: String, _ body: String) -> ContractCase {
        google("sendOobCode/" + name, "sendOobCode", body)
    }

    static let sending: [ContractCase] = [
        of("sendOobCode/verify") { house in
            let token = await house.person().idToken
            return .google("sendOobCode", #"{"requestType":"VERIFY_EMAIL","idToken":"\#(token)"}"#)
        },
        of("sendOobCode/verify-too-often") { house in
            let token = await house.person().idToken
            for _ in 0..<5 { _ = try await house.verificationCode(token) }
            return .google("sendOobCode", #"{"requestType":4,"id_token":"\#(token)"}"#)
        }, sending("verify-missing", #"{"requestType":"VERIFY_EMAIL"}"#),
        of("sendOobCode/reset") { house in
            await house.person()
            return .google("sendOobCode", resetting)
        }, sending("reset-unknown", resetting),
        of("sendOobCode/reset-unknown-told") { house in
            try await house.turn("emailPrivacy", on: false)
            return .google("sendOobCode", resetting)
        },
        of("sendOobCode/reset-too-often") { house in
            for _ in 0..<5 { _ = try await house.resetCode() }
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
        of("resetPassword/" + name) { house in
            await house.person()
            let code = try await house.resetCode()
            house.frozen.advance(by: seconds)
            return .google("resetPassword", #"{"oobCode":"\#(code)"\#(members)}"#)
        }
    }

    static let using: [ContractCase] = [
        using("looked-at"), using("done", #","newPassword":"a new password""#),
        using("weak", #","newPassword":"12345""#),
        using("expired", #","newPassword":"a new password""#, after: 3_600),
        of("resetPassword/used") { house in
            await house.person()
            let code = try await house.resetCode()
            let body = #"{"oobCode":"\#(code)","newPassword":"a new password"}"#
            _ = await house.send(.google("resetPassword", body))
            return .google("resetPassword", body)
        },
        of("resetPassword/replaced") { house in
            await house.person()
            let code = try await house.resetCode()
            _ = try await house.resetCode()
            return .google("resetPassword", #"{"oobCode":"\#(code)"}"#)
        },
        of("resetPassword/disabled") { house in
            await house.person()
            let code = try await house.resetCode()
            try await house.disableAll()
            return .google(
                "resetPassword", #"{"oobCode":"\#(code)","newPassword":"a new password"}"#)
        },
        of("resetPassword/looked-at-verification") { house in
            let code = try await house.verificationCode(await house.person().idToken)
            return .google("resetPassword", #"{"oobCode":"\#(code)"}"#)
        },
        of("resetPassword/by-verification") { house in
            let code = try await house.verificationCode(await house.person().idToken)
            return .google(
                "resetPassword", #"{"oobCode":"\#(code)","newPassword":"a new password"}"#)
        }, google("resetPassword/unknown", "resetPassword", #"{"oobCode":"x"}"#),
        google("resetPassword/missing", "resetPassword", "{}"),
    ]
}
