import Support
import Testing
import Web

@testable import Simulator

/// CLARITY Pulse's registration, taken up where it stopped.
@Suite(.timeLimit(.minutes(10))) struct ClarityResumeTests {
    private static let signUp = "POST /v1/accounts:signUp"
    private static let update = "POST /v1/accounts:update"
    private static let sendCode = "POST /v1/accounts:sendOobCode"
    private static let profile = "POST /api/v1/auth/register"

    private static func session(_ number: Int) -> StubTransport.Reply {
        .json(
            200,
            #"{"idToken":"\#(Wire.token(number))","#
                + #""refreshToken":"refresh-\#(number)","expiresIn":"3600"}"#)
    }

    private static func form(_ change: [String: String] = [:]) -> [String: String] {
        [
            "firstName": "Avery", "lastName": "Quinn",
            "email": "avery@example.com", "password": "Pass1234",
            "confirm": "Pass1234", "terms": "on", "privacy": "on",
        ].merging(change) { $1 }
    }

    private static let otherPassword = ["password": "Pass5678", "confirm": "Pass5678"]

    /// Tried once, up to the call that fails.
    private static func stopped(profile: [Int], sendCode: [Int] = [200]) async throws -> Phone {
        let phone = try await SimulatorHouse().phone("clarity")
        _ = try await phone.launch()
        phone.stub.script(signUp, session(1))
        for status in profile { phone.stub.script(Self.profile, .json(status, "{}")) }
        for status in sendCode { phone.stub.script(Self.sendCode, .json(status, "{}")) }
        #expect(try await !phone.act("register", "submit", form()).succeeded)
        return phone
    }

    @Test func `a name corrected after the last call failed is sent again`() async throws {
        let phone = try await Self.stopped(profile: [201, 200], sendCode: [500, 200])
        let done = try await phone.act("register", "submit", Self.form(["firstName": "Ivory"]))
        #expect(done.succeeded)
        let told = phone.stub.sent(Self.profile)
        #expect(told.count == 2)
        #expect(told.last?.text.contains(#""first_name":"Ivory""#) == true)
        #expect(phone.stub.sent(Self.signUp).count == 1)
    }

    @Test func `nothing is sent twice where nothing was corrected`() async throws {
        let phone = try await Self.stopped(profile: [201], sendCode: [500, 200])
        let done = try await phone.act("register", "submit", Self.form())
        #expect(done.succeeded)
        #expect(phone.stub.sent(Self.signUp).count == 1)
        #expect(phone.stub.sent(Self.profile).count == 1)
    }

    @Test func `CLA-63 another password is given to the account there is`() async throws {
        let phone = try await Self.stopped(profile: [500, 500, 201])
        phone.stub.script(Self.update, Self.session(2))
        let form = Self.form(Self.otherPassword)
        #expect(try await !phone.act("register", "submit", form).succeeded)
        #expect(try await phone.act("register", "submit", form).succeeded)
        #expect(phone.stub.sent(Self.signUp).count == 1)
        // Once given, it is not given again.
        #expect(
            phone.stub.sent(Self.update).map(\.text) == [
                #"{"idToken":"\#(Wire.token(1))","password":"Pass5678","#
                    + #""returnSecureToken":true}"#
            ])
        // What was issued before ended with the password.
        #expect(
            phone.stub.sent(Self.profile).map(\.bearer) == [
                Wire.token(1), Wire.token(2), Wire.token(2),
            ])
        #expect(try await phone.stored["firebase_user.refresh_token"] == "refresh-2")
    }

    @Test func `a password that is refused changes nothing`() async throws {
        let phone = try await Self.stopped(profile: [500, 201])
        phone.stub.script(
            Self.update, .json(400, #"{"error":{"code":400,"message":"WEAK_PASSWORD : x"}}"#))
        let refused = try await phone.act("register", "submit", Self.form(Self.otherPassword))
        #expect(!refused.succeeded)
        #expect(
            try await phone.now.failure?.message.hasPrefix("Please choose a stronger password")
                == true)
        let done = try await phone.act("register", "submit", Self.form())
        #expect(done.succeeded)
        #expect(phone.stub.sent(Self.update).count == 1)
        #expect(phone.stub.sent(Self.profile).last?.bearer == Wire.token(1))
    }

    @Test func `the first address is gone on with though another was tried`() async throws {
        let phone = try await Self.stopped(profile: [500, 201])
        phone.stub.script(
            Self.signUp, .json(400, #"{"error":{"code":400,"message":"EMAIL_EXISTS"}}"#))
        let taken = try await phone.act(
            "register", "submit", Self.form(["email": "ivory@example.com"]))
        #expect(!taken.succeeded)
        let done = try await phone.act("register", "submit", Self.form())
        #expect(done.succeeded)
        #expect(phone.stub.sent(Self.signUp).count == 2)
    }
}
