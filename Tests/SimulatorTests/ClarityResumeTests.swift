import Core
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
        #expect(try await phone.userData["firebase_user.refresh_token"] == "refresh-2")
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

    // MARK: Killed in the middle

    /// An app that was killed while the registration's call `call` was under way.
    private static func killedRegistration(during call: String) async throws -> Phone {
        let phone = try await FirebaseWire.phone()
        let latch = Latch()
        let isFirst = call == FirebaseWire.signUp
        if !isFirst { phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1)) }
        phone.stub.script(
            call, .held(latch, isFirst ? FirebaseWire.session(1) : .json(201, "{}")))
        async let registering = phone.act("register", "submit", FirebaseWire.form)
        #expect(await eventually { latch.waiting == 1 })
        try await phone.simulator.relaunch(phone.instance, isKill: true)
        latch.open()
        _ = try await registering
        #expect(try await phone.launch().screen == "login")
        return phone
    }

    @Test(arguments: [FirebaseWire.signUp, FirebaseWire.profile])
    func `the sign-in after a kill finishes the registration with its names and consents`(
        call: String
    ) async throws {
        let phone = try await Self.killedRegistration(during: call)
        let earlier = phone.stub.sent(FirebaseWire.profile).count
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(2))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: false))
        phone.stub.script(FirebaseWire.profile, .json(201, "{}"))
        phone.stub.script(FirebaseWire.sendCode, .json(200, "{}"))
        #expect(try await phone.login("Avery@example.com", "Pass1234").screen == "verify")
        let sent = phone.stub.sent(FirebaseWire.profile)[earlier...]
        #expect(
            sent.map(\.text) == [
                #"{"email":"Avery@example.com","password":"Pass1234","first_name":"Avery","#
                    + #""last_name":"Quinn","terms_accepted":true,"#
                    + #""privacy_policy_accepted":true}"#
            ])
        #expect(sent.first?.bearer == Wire.token(2))
        // The mail was sent, so the verify screen says so.
        #expect(try await phone.now.availableValues["mailed"] == "link")
        #expect(try await phone.userData["unfinished_registration"] == nil)
    }

    @Test func `a sign-in that cannot finish the registration can be repeated`() async throws {
        let phone = try await Self.killedRegistration(during: FirebaseWire.profile)
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(2), FirebaseWire.session(3))
        phone.stub.always(FirebaseWire.lookup, FirebaseWire.user(verified: false))
        phone.stub.script(FirebaseWire.profile, .json(500, "{}"), .json(201, "{}"))
        phone.stub.script(FirebaseWire.sendCode, .json(200, "{}"))
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "login")
        #expect(
            try await phone.now.failure?.message
                == "We couldn't finish creating your account. Please try again.")
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "verify")
    }

    @Test func `another account's sign-in finishes nothing`() async throws {
        let phone = try await Self.killedRegistration(during: FirebaseWire.profile)
        let earlier = phone.stub.sent(FirebaseWire.profile).count
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(2))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(try await phone.login("ivory@example.com", "Pass1234").screen == "dashboard")
        #expect(phone.stub.sent(FirebaseWire.profile).count == earlier)
        #expect(try await phone.userData["unfinished_registration"] != nil)
    }

    @Test func `CLA-07 only the backend's success ends a registration`() async throws {
        let phone = try await Self.failedRegistration(profile: [500, 201], sendCode: [200])
        #expect(try await phone.now.alert == nil)
        #expect(try await phone.userData["unfinished_registration"] != nil)
        #expect(try await phone.act("register", "submit", FirebaseWire.form).succeeded)
        #expect(try await phone.now.alert?.title == "Registration Successful")
        #expect(try await phone.userData["unfinished_registration"] == nil)
    }

    @Test(arguments: [(FirebaseWire.error("EMAIL_EXISTS"), false), (.json(503, "{}"), true)])
    func `only an account that the server may have made leaves a registration to finish`(
        reply: StubTransport.Reply, isKept: Bool
    ) async throws {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, reply)
        #expect(try await !phone.act("register", "submit", FirebaseWire.form).succeeded)
        #expect(try await (phone.userData["unfinished_registration"] != nil) == isKept)
    }
}
