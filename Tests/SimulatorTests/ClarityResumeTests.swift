import Support
import Testing
import Web

@testable import Simulator

/// CLARITY Pulse's registration, resumed after a failed call.
@Suite(.timeLimit(.minutes(10))) struct ClarityResumeTests {
    private static let otherPassword = ["password": "Pass5678", "confirm": "Pass5678"]

    /// An app whose registration was attempted once, up to the failing call.
    private static func failedRegistration(profile: [Int], sendCode: [Int] = [200]) async throws
        -> Phone
    {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1))
        for status in profile { phone.stub.script(FirebaseWire.profile, .json(status, "{}")) }
        for status in sendCode { phone.stub.script(FirebaseWire.sendCode, .json(status, "{}")) }
        #expect(try await !phone.act("register", "submit", FirebaseWire.form).succeeded)
        return phone
    }

    @Test func `a name corrected after the last call failed is sent again`() async throws {
        let phone = try await Self.failedRegistration(profile: [201, 200], sendCode: [500, 200])
        let retry = try await phone.act(
            "register", "submit", FirebaseWire.form(changing: ["firstName": "Ivory"]))
        #expect(retry.succeeded)
        let profileRequests = phone.stub.sent(FirebaseWire.profile)
        #expect(profileRequests.count == 2)
        #expect(profileRequests.last?.text.contains(#""first_name":"Ivory""#) == true)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 1)
    }

    @Test func `calls that succeeded are not repeated if nothing was changed`() async throws {
        let phone = try await Self.failedRegistration(profile: [201], sendCode: [500, 200])
        let retry = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(retry.succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 1)
        #expect(phone.stub.sent(FirebaseWire.profile).count == 1)
    }

    @Test func `CLA-63 a changed password is set on the existing account`() async throws {
        let phone = try await Self.failedRegistration(profile: [500, 500, 201])
        phone.stub.script(FirebaseWire.update, FirebaseWire.session(2))
        let form = FirebaseWire.form(changing: Self.otherPassword)
        #expect(try await !phone.act("register", "submit", form).succeeded)
        #expect(try await phone.act("register", "submit", form).succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 1)
        // It is set only once.
        #expect(
            phone.stub.sent(FirebaseWire.update).map(\.text) == [
                #"{"idToken":"\#(Wire.token(1))","password":"Pass5678","#
                    + #""returnSecureToken":true}"#
            ])
        // The new password revoked the token issued before.
        #expect(
            phone.stub.sent(FirebaseWire.profile).map(\.bearer) == [
                Wire.token(1), Wire.token(2), Wire.token(2),
            ])
        #expect(try await phone.stored["firebase_user.refresh_token"] == "refresh-2")
    }

    @Test func `a rejected password changes nothing`() async throws {
        let phone = try await Self.failedRegistration(profile: [500, 201])
        phone.stub.script(
            FirebaseWire.update,
            .json(400, #"{"error":{"code":400,"message":"WEAK_PASSWORD : x"}}"#))
        let rejected = try await phone.act(
            "register", "submit", FirebaseWire.form(changing: Self.otherPassword))
        #expect(!rejected.succeeded)
        #expect(
            try await phone.now.failure?.message.hasPrefix("Please choose a stronger password")
                == true)
        let retry = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(retry.succeeded)
        #expect(phone.stub.sent(FirebaseWire.update).count == 1)
        #expect(phone.stub.sent(FirebaseWire.profile).last?.bearer == Wire.token(1))
    }

    @Test func `another address after a failed second call creates another account`() async throws {
        let phone = try await Self.failedRegistration(profile: [500, 201])
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(2))
        let otherForm = FirebaseWire.form(changing: ["email": "ivory@example.com"])
        #expect(try await phone.act("register", "submit", otherForm).succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 2)
        #expect(phone.stub.sent(FirebaseWire.profile).last?.bearer == Wire.token(2))
    }

    @Test func `the first registration resumes even after another address was tried`() async throws
    {
        let phone = try await Self.failedRegistration(profile: [500, 201])
        phone.stub.script(
            FirebaseWire.signUp, .json(400, #"{"error":{"code":400,"message":"EMAIL_EXISTS"}}"#))
        let rejected = try await phone.act(
            "register", "submit", FirebaseWire.form(changing: ["email": "ivory@example.com"]))
        #expect(!rejected.succeeded)
        let retry = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(retry.succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 2)
    }
}
