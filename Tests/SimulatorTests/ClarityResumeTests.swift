import Support
import Testing
import Web

@testable import Simulator

/// CLARITY Pulse's registration, taken up where it stopped.
@Suite(.timeLimit(.minutes(10))) struct ClarityResumeTests {
    private static let otherPassword = ["password": "Pass5678", "confirm": "Pass5678"]

    /// Tried once, up to the call that fails.
    private static func stopped(profile: [Int], sendCode: [Int] = [200]) async throws -> Phone {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1))
        for status in profile { phone.stub.script(FirebaseWire.profile, .json(status, "{}")) }
        for status in sendCode { phone.stub.script(FirebaseWire.sendCode, .json(status, "{}")) }
        #expect(try await !phone.act("register", "submit", FirebaseWire.form).succeeded)
        return phone
    }

    @Test func `a name corrected after the last call failed is sent again`() async throws {
        let phone = try await Self.stopped(profile: [201, 200], sendCode: [500, 200])
        let done = try await phone.act(
            "register", "submit", FirebaseWire.form(but: ["firstName": "Ivory"]))
        #expect(done.succeeded)
        let told = phone.stub.sent(FirebaseWire.profile)
        #expect(told.count == 2)
        #expect(told.last?.text.contains(#""first_name":"Ivory""#) == true)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 1)
    }

    @Test func `nothing is sent twice where nothing was corrected`() async throws {
        let phone = try await Self.stopped(profile: [201], sendCode: [500, 200])
        let done = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(done.succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 1)
        #expect(phone.stub.sent(FirebaseWire.profile).count == 1)
    }

    @Test func `CLA-63 another password is given to the account there is`() async throws {
        let phone = try await Self.stopped(profile: [500, 500, 201])
        phone.stub.script(FirebaseWire.update, FirebaseWire.session(2))
        let form = FirebaseWire.form(but: Self.otherPassword)
        #expect(try await !phone.act("register", "submit", form).succeeded)
        #expect(try await phone.act("register", "submit", form).succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 1)
        // Once given, it is not given again.
        #expect(
            phone.stub.sent(FirebaseWire.update).map(\.text) == [
                #"{"idToken":"\#(Wire.token(1))","password":"Pass5678","#
                    + #""returnSecureToken":true}"#
            ])
        // What was issued before ended with the password.
        #expect(
            phone.stub.sent(FirebaseWire.profile).map(\.bearer) == [
                Wire.token(1), Wire.token(2), Wire.token(2),
            ])
        #expect(try await phone.stored["firebase_user.refresh_token"] == "refresh-2")
    }

    @Test func `a password that is refused changes nothing`() async throws {
        let phone = try await Self.stopped(profile: [500, 201])
        phone.stub.script(
            FirebaseWire.update,
            .json(400, #"{"error":{"code":400,"message":"WEAK_PASSWORD : x"}}"#))
        let refused = try await phone.act(
            "register", "submit", FirebaseWire.form(but: Self.otherPassword))
        #expect(!refused.succeeded)
        #expect(
            try await phone.now.failure?.message.hasPrefix("Please choose a stronger password")
                == true)
        let done = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(done.succeeded)
        #expect(phone.stub.sent(FirebaseWire.update).count == 1)
        #expect(phone.stub.sent(FirebaseWire.profile).last?.bearer == Wire.token(1))
    }

    @Test func `another address after a failed middle is another account`() async throws {
        let phone = try await Self.stopped(profile: [500, 201])
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(2))
        let other = FirebaseWire.form(but: ["email": "ivory@example.com"])
        #expect(try await phone.act("register", "submit", other).succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 2)
        #expect(phone.stub.sent(FirebaseWire.profile).last?.bearer == Wire.token(2))
    }

    @Test func `the first address is gone on with though another was tried`() async throws {
        let phone = try await Self.stopped(profile: [500, 201])
        phone.stub.script(
            FirebaseWire.signUp, .json(400, #"{"error":{"code":400,"message":"EMAIL_EXISTS"}}"#))
        let taken = try await phone.act(
            "register", "submit", FirebaseWire.form(but: ["email": "ivory@example.com"]))
        #expect(!taken.succeeded)
        let done = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(done.succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 2)
    }
}
