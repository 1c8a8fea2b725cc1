import Core
import Support
import Testing
import Web

@testable import Backend

/// Second factors, with the rules of the real server.
@Suite(.timeLimit(.minutes(10))) struct SocotoFactorTests {
    private func makeClient() async throws -> (SocotoClient, token: String) {
        let client = SocotoClient(fixture: try await BackendFixture())
        return (client, try await client.createUser().accessToken)
    }

    @Test func `a correct code raises the session to the second level`() async throws {
        let (client, token) = try await makeClient()
        let first = await client.signIn()
        client.fixture.frozen.advance(by: 60)
        let (_, _, session) = await client.enrollTOTP(token)
        #expect(session.status == 200)
        #expect(session.claim("aal") == "aal2")
        let methods = session.claim("amr")
        #expect(methods?[0]?["method"] == "totp")
        #expect(methods?[1]?["method"] == "otp")
        // The session stays the same, and its refresh token is a new one that keeps the level.
        let refreshed = await client.refresh(session.refreshToken)
        #expect(refreshed.claim("aal") == "aal2")
        #expect(refreshed.claim("amr") == methods)
        #expect(refreshed.claim("session_id") == session.claim("session_id"))
        // Sessions without a second factor end.
        #expect(await client.user(first.accessToken).json["code"] == "session_not_found")
        let factors = await client.user(session.accessToken).json["factors"]
        #expect(factors?[0]?["status"] == "verified")
        #expect(factors?[0]?["secret"] == nil)
    }

    @Test func `a code answers several challenges while the app shows it`() async throws {
        let (client, token) = try await makeClient()
        let (id, secret, session) = await client.enrollTOTP(token)
        let code = client.totpCode(secret)
        #expect(await client.answer(id, code: " \(code) ", session.accessToken).status == 200)
        client.fixture.frozen.advance(by: 60)
        let old = await client.answer(id, code: code, session.accessToken)
        #expect(old.json["code"] == "mfa_verification_failed")
    }

    @Test func `a refresh token from before the second factor does not lead to its level`()
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        let first = try await client.createUser()
        client.fixture.frozen.advance(by: 10)
        let (_, _, session) = await client.enrollTOTP(first.accessToken)
        let reuse = await client.refresh(first.refreshToken)
        #expect(reuse.json["code"] == "refresh_token_already_used")
        // A reuse ends the session.
        #expect(
            await client.refresh(session.refreshToken).json["code"] == "refresh_token_not_found")
    }

    @Test func `a factor has its number and the time of its last challenge`() async throws {
        let (client, token) = try await makeClient()
        let reply = await client.enroll(token, name: "phone", type: "phone", phone: "+1 555 0100")
        let id = reply.json["id"]?.string ?? ""
        let new = await client.user(token).json["factors"]?[0]
        #expect(new?["phone"] == "15550100")
        #expect(new?["last_challenged_at"] == .null)
        client.fixture.frozen.advance(by: 1)
        _ = await client.challenge(id, token)
        let challenged = await client.user(token).json["factors"]?[0]
        #expect(challenged?["last_challenged_at"]?.string != nil)
        #expect(challenged?["updated_at"] == new?["updated_at"])
    }

    @Test func `a challenge works once, for its factor, and for five minutes`() async throws {
        let (client, token) = try await makeClient()
        let (id, secret, session) = await client.enrollTOTP(token)
        let bearer = session.accessToken
        client.fixture.frozen.advance(by: 30)
        let used = await client.challenge(id, bearer).json["id"]?.string ?? ""
        #expect(
            await client.verify(id, used, code: client.totpCode(secret), bearer).status == 200)
        client.fixture.frozen.advance(by: 30)
        let again = await client.verify(id, used, code: client.totpCode(secret), bearer)
        #expect(again.json["code"] == "mfa_ip_address_mismatch")
        let other = await client.enroll(bearer, name: "other").json["id"]?.string ?? ""
        let foreign = await client.challenge(other, bearer).json["id"]?.string ?? ""
        let mixed = await client.verify(id, foreign, code: client.totpCode(secret), bearer)
        #expect(mixed.json["code"] == "mfa_factor_not_found")
        let late = await client.challenge(id, bearer).json["id"]?.string ?? ""
        client.fixture.frozen.advance(by: 300)
        let expired = await client.verify(id, late, code: client.totpCode(secret), bearer)
        #expect(expired.status == 422)
        #expect(expired.json["code"] == "mfa_challenge_expired")
    }

    @Test func `concurrent guesses never exceed a challenge's limit`() async throws {
        let (client, token) = try await makeClient()
        let reply = await client.enroll(token)
        let id = reply.json["id"]?.string ?? ""
        let challenge = await client.challenge(id, token).json["id"]?.string ?? ""
        let codes = await withTaskGroup(of: JSON?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    await client.verify(id, challenge, code: "guess \(number)", token).json["code"]
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == "mfa_verification_failed" } == 10)
        #expect(codes.count { $0 == "over_request_rate_limit" } == 70)
        let secret = reply.json["totp"]?["secret"]?.string ?? ""
        let right = await client.verify(id, challenge, code: client.totpCode(secret), token)
        #expect(right.status != 200)
    }

    @Test func `concurrent enrollments of one name leave one factor`() async throws {
        let (client, token) = try await makeClient()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await client.enroll(token).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 422 } == 19)
    }

    @Test func `concurrent completions of enrollments leave one factor`() async throws {
        let (client, token) = try await makeClient()
        var enrollments: [(id: String, secret: String)] = []
        for name in ["a", "b", "c", "d"] {
            let reply = await client.enroll(token, name: name)
            enrollments.append(
                (reply.json["id"]?.string ?? "", reply.json["totp"]?["secret"]?.string ?? ""))
        }
        let sessions = await withTaskGroup(of: Reply.self) { group in
            for (id, secret) in enrollments {
                group.addTask { await client.answer(id, code: client.totpCode(secret), token) }
            }
            return await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        let session = try #require(sessions.first { $0.status == 200 })
        #expect(sessions.count { $0.status == 200 } == 1)
        guard case .array(let factors)? = await client.user(session.accessToken).json["factors"]
        else { throw CancellationError() }
        #expect(factors.count == 1)
    }

    @Test func `at most ten factors can be enrolled, each with a name of its own`() async throws {
        let (client, token) = try await makeClient()
        for number in 0..<10 {
            #expect(await client.enroll(token, name: "\(number)").status == 200)
        }
        let conflict = await client.enroll(token, name: "3")
        #expect(conflict.json["code"] == "mfa_factor_name_conflict")
        #expect(
            conflict.json["message"]
                == #"A factor with the friendly name "3" for this user already exists"#)
        #expect(
            await client.enroll(token, name: "x").json["code"] == "too_many_enrolled_mfa_factors")
        // Enrollments that were never continued are removed after five minutes.
        client.fixture.frozen.advance(by: 301)
        #expect(await client.enroll(token, name: "x").status == 200)
    }

    @Test func `enrolling and unenrolling need the second level once there is a factor`()
        async throws
    {
        let (client, token) = try await makeClient()
        let (id, secret, session) = await client.enrollTOTP(token)
        let weak = await client.signIn().accessToken
        let enrollment = await client.enroll(weak, name: "x")
        #expect(enrollment.status == 403)
        #expect(enrollment.json["code"] == "insufficient_aal")
        let unenrollment = await client.unenroll(id, weak)
        #expect(unenrollment.status == 422)
        #expect(unenrollment.json["code"] == "insufficient_aal")
        let update = await client.send(
            .put, "/auth/v1/user", ["password": "a better horse"], bearer: weak)
        #expect(update.status == 401)
        client.fixture.frozen.advance(by: 30)
        let strong = await client.answer(id, code: client.totpCode(secret), weak)
        #expect(strong.claim("aal") == "aal2")
        #expect(await client.user(session.accessToken).status == 200)
        #expect(await client.unenroll(id, strong.accessToken).json["id"] == .string(id))
        // Sessions of the removed factor return to the first level.
        let refreshed = await client.refresh(strong.refreshToken)
        #expect(refreshed.claim("aal") == "aal1")
        #expect(refreshed.claim("amr")?[0]?["method"] == "password")
        #expect(refreshed.json["user"]?["factors"] == nil)
    }

    @Test func `a phone factor sends its code as a text message`() async throws {
        let (client, token) = try await makeClient()
        try await client.setSwitch("phoneFactors", isOn: false)
        let off = await client.enroll(token, name: "x", type: "phone", phone: "+15550100")
        #expect(off.json["code"] == "mfa_phone_enroll_not_enabled")
        try await client.setSwitch("phoneFactors", isOn: true)
        let reply = await client.enroll(token, name: "phone", type: "phone", phone: "+1 555 0100")
        #expect(reply.json["phone"] == "+1 555 0100")
        let id = reply.json["id"]?.string ?? ""
        let challenge = await client.challenge(id, token)
        #expect(challenge.json["type"] == "phone")
        #expect(await client.challenge(id, token).json["code"] == "over_sms_send_rate_limit")
        let message = try #require(
            try await client.fixture.backend.mailbox.list(workspace: "main", to: "+15550100")
                .items.first)
        #expect(message.channel == .textMessage)
        let challengeID = challenge.json["id"]?.string ?? ""
        let wrong = await client.verify(id, challengeID, code: "x", token)
        #expect(wrong.json["message"] == "Invalid MFA Phone code entered")
        let session = await client.verify(id, challengeID, code: message.code ?? "", token)
        #expect(session.claim("amr")?[0]?["method"] == "mfa/phone")
        #expect(session.claim("aal") == "aal2")
        let again = await client.enroll(
            session.accessToken, name: "again", type: "phone", phone: "15550100")
        #expect(again.json["code"] == "mfa_verified_factor_exists")
    }

    @Test func `an administrator lists, renames and removes factors`() async throws {
        let (client, token) = try await makeClient()
        let (id, _, session) = await client.enrollTOTP(token)
        let user = session.json["user"]?["id"]?.string ?? ""
        let path = "/auth/v1/admin/users/\(user.uppercased())/factors"
        #expect(await client.send(.get, path, bearer: session.accessToken).status == 403)
        let key = client.serviceKey
        #expect(await client.send(.get, path, bearer: key).json[0]?["id"] == .string(id))
        let renamed = await client.send(
            .put, path + "/" + id, ["friendly_name": "new"], bearer: key)
        #expect(renamed.json["friendly_name"] == "new")
        #expect(await client.send(.delete, path + "/" + id, bearer: key).status == 200)
        #expect(await client.send(.delete, path + "/" + id, bearer: key).status == 404)
        #expect(await client.refresh(session.refreshToken).claim("aal") == "aal1")
    }
}
