import Core
import FoundationEssentials
import Support
import Testing
import Web

@testable import Simulator

/// Socoto's second factor: an authenticator app.
@Suite(.timeLimit(.minutes(10))) struct SocotoTwoFactorTests {
    private static let challenge = "POST /auth/v1/factors/f1/challenge"
    private static let verify = "POST /auth/v1/factors/f1/verify"
    private static let enroll = "POST /auth/v1/factors"
    private static let delete = "DELETE /auth/v1/factors/f1"
    private static let code = ["code": "123456"]

    /// An access token of the first or the second level, of one session.
    private static func token(level: Int) -> String {
        let exp = Int(FrozenWorld.noon.timeIntervalSince1970 + 3_600)
        let claims = """
            {"sub":"u1","email":"\(SupabaseWire.email)","exp":\(exp),"aal":"aal\(level)",\
            "session_id":"s1"}
            """
        return [#"{"alg":"HS256"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(
            separator: ".") + ".c2lnbmF0dXJl"
    }

    private static func session(level: Int, factor: String?) -> StubTransport.Reply {
        let factors = factor.map { #"[{"id":"f1","status":"\#($0)"}]"# } ?? "[]"
        return .json(
            200,
            """
            {"access_token":"\(token(level: level))","refresh_token":"refresh-\(level)",\
            "user":{"id":"u1","email":"\(SupabaseWire.email)","factors":\(factors)}}
            """)
    }

    /// The user's own record.
    private static func user(factor: String) -> StubTransport.Reply {
        .json(200, #"{"id":"u1","factors":[{"id":"f1","status":"\#(factor)"}]}"#)
    }

    /// A user with a factor, after the password.
    private func afterPassword(factor: String = "verified") async throws -> Phone {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.token, Self.session(level: 1, factor: factor))
        phone.stub.always(SupabaseWire.profiles, SupabaseWire.profile)
        phone.stub.always(Self.challenge, .json(200, #"{"id":"c1","type":"totp"}"#))
        _ = try await phone.submit("signin")
        return phone
    }

    @Test func `SOC-90 a sign-in with a second factor asks for the code`() async throws {
        let phone = try await afterPassword()
        #expect(try await phone.screen == "twoFactor")
        for screen in ["feed", "profile", "edit", "security"] {
            #expect(try await phone.open(screen).redirected == "twoFactor", "\(screen)")
        }
        #expect(try await phone.relaunch().screen == "twoFactor")
    }

    @Test func `SOC-90 the code opens the app and continues the session`() async throws {
        let phone = try await afterPassword()
        let session = try #require(await phone.now.session?.id)
        phone.stub.script(Self.verify, Self.session(level: 2, factor: "verified"))
        #expect(try await phone.act("twoFactor", "submit", Self.code).screen == "profile")
        #expect(
            phone.stub.sent(Self.verify).map(\.text) == [
                #"{"challenge_id":"c1","code":"123456"}"#
            ])
        #expect(try await phone.now.session?.id == session)
        #expect(try await phone.open("feed").shown != nil)
        #expect(try await phone.open("twoFactor").redirected != nil)
        #expect(try await phone.relaunch().screen == "profile")
    }

    @Test func `SOC-90 a wrong code shows the server's message and asks again`() async throws {
        let phone = try await afterPassword()
        let wrong = SupabaseWire.errors(422, "mfa_verification_failed", "Invalid TOTP code entered")
        phone.stub.script(Self.verify, wrong[0])
        let result = try await phone.act("twoFactor", "submit", Self.code)
        #expect(result == ActionResult(screen: "twoFactor", succeeded: false))
        let now = try await phone.now
        #expect(now.failure?.message == "Verification failed: Invalid TOTP code entered")
        #expect(now.fieldValues["code"] == "")
    }

    @Test(arguments: [("", "Please enter the code"), ("12345", "The code has 6 digits")])
    func `SOC-90 the code is checked before anything is sent`(_ code: String, _ message: String)
        async throws
    {
        let phone = try await afterPassword()
        _ = try await phone.act("twoFactor", "submit", ["code": code])
        #expect(try await phone.now.fieldErrors["code"] == message)
        #expect(phone.stub.sent(Self.challenge).isEmpty)
    }

    @Test func `SOC-90 an unfinished setup does not ask for a code`() async throws {
        #expect(try await afterPassword(factor: "unverified").screen == "profile")
    }

    @Test func `SOC-94 a link is followed after the code`() async throws {
        let phone = try await afterPassword()
        #expect(
            try await phone.simulator.openLink(phone.instance, "socoto://edit") == "twoFactor")
        phone.stub.script(Self.verify, Self.session(level: 2, factor: "verified"))
        #expect(try await phone.act("twoFactor", "submit", Self.code).screen == "edit")
    }

    @Test func `SOC-91 an unfinished setup is discarded before the next`() async throws {
        let phone = try await afterPassword(factor: "unverified")
        phone.stub.always("GET /auth/v1/user", Self.user(factor: "unverified"))
        _ = try await phone.open("security")
        phone.stub.script(Self.delete, .json(200, #"{"id":"f1"}"#))
        phone.stub.script(
            Self.enroll, .json(200, #"{"id":"f2","totp":{"qr_code":"<svg/>","secret":"KRUGS"}}"#))
        #expect(try await phone.act("security", "setUp").screen == "authenticator")
        #expect(phone.stub.sent(Self.delete).count == 1)
        #expect(try await phone.now.availableValues["factorID"] == "f2")
    }

    @Test func `SOC-91 a session that a factor of another phone ended leads to the welcome`()
        async throws
    {
        let phone = try await SupabaseWire.signedIn()
        let message = "Session from session_id claim in JWT does not exist"
        phone.stub.script(
            "GET /auth/v1/user", SupabaseWire.errors(403, "session_not_found", message)[0])
        phone.stub.script(
            SupabaseWire.token,
            SupabaseWire.errors(400, "refresh_token_not_found", "Invalid Refresh Token")[0])
        _ = try await phone.open("security")
        #expect(try await phone.screen == "welcome")
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `SOC-91 setting up shows the key, and the first code turns it on`() async throws {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.token, Self.session(level: 1, factor: nil))
        phone.stub.always(SupabaseWire.profiles, SupabaseWire.profile)
        _ = try await phone.submit("signin")
        // Without a key there is nothing to confirm.
        #expect(try await phone.open("authenticator").redirected == "profile")
        phone.stub.always("GET /auth/v1/user", .json(200, #"{"id":"u1"}"#))
        _ = try await phone.open("security")
        phone.stub.script(
            Self.enroll,
            .json(200, #"{"id":"f1","totp":{"qr_code":"<svg/>","secret":"JBSWY3DP"}}"#))
        #expect(try await phone.act("security", "setUp").screen == "authenticator")
        #expect(try await phone.now.availableValues["secret"] == "JBSWY3DP")
        phone.stub.script(Self.challenge, .json(200, #"{"id":"c1","type":"totp"}"#))
        phone.stub.script(Self.verify, Self.session(level: 2, factor: "verified"))
        #expect(try await phone.act("authenticator", "submit", Self.code).screen == "secured")
        #expect(try await phone.now.notice == "Two-factor authentication is on")
        #expect(try await phone.now.availableValues["secret"] == nil)
        #expect(try await phone.open("security").redirected == "secured")
    }

    @Test func `SOC-92 turning it off removes the factor`() async throws {
        let phone = try await afterPassword()
        phone.stub.script(Self.verify, Self.session(level: 2, factor: "verified"))
        _ = try await phone.act("twoFactor", "submit", Self.code)
        phone.stub.script("GET /auth/v1/user", Self.user(factor: "verified"))
        _ = try await phone.open("secured")
        phone.stub.script(Self.delete, .json(200, #"{"id":"f1"}"#))
        #expect(try await phone.act("secured", "turnOff").screen == "profile")
        #expect(try await phone.stored.keys.allSatisfy { !$0.contains("factor") })
        #expect(try await phone.open("secured").redirected == "profile")
        phone.stub.script("GET /auth/v1/user", .json(200, #"{"id":"u1"}"#))
        #expect(try await phone.open("security").shown != nil)
    }

    @Test func `SOC-93 deleting the account clears the phone, and keeps it if that fails`()
        async throws
    {
        let phone = try await SupabaseWire.signedIn()
        let delete = "POST /rest/v1/rpc/delete_user"
        phone.stub.script(
            delete, .json(404, #"{"code":"PGRST202","message":"Could not find the function"}"#))
        #expect(try await phone.act("profile", "deleteAccount").screen == "profile")
        let failure = try await phone.now.failure?.message
        #expect(failure == "Deleting failed: Could not find the function")
        phone.stub.script(delete, .json(204, ""))
        #expect(try await phone.act("profile", "deleteAccount").screen == "welcome")
        #expect(try await phone.now.alert?.title == "Account Deleted")
        #expect(try await phone.stored.isEmpty)
    }
}
