import SQLite
import Support
import Testing
import Web

@testable import Backend

/// A new password cancels email changes and codes that were requested before it.
@Suite(.timeLimit(.minutes(10))) struct SocotoTakeoverTests {
    private let newEmail = "eve@example.com"

    /// An account with a pending change to `newEmail`.
    private func requestEmailChange() async throws -> (SocotoClient, token: String) {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        let update = await client.send(
            .put, "/auth/v1/user", ["email": .string(newEmail)], bearer: token)
        #expect(update.json["new_email"]?.string == newEmail)
        return (client, token)
    }

    /// Neither the code nor the link mailed to `newEmail` has an effect.
    private func expectEmailUnchanged(_ client: SocotoClient) async throws {
        let mail = try await client.mail("email change", to: newEmail)
        let reply = await client.verify("email_change", code: mail.code, newEmail)
        #expect(reply.status == 403)
        let response = await client.fixture.follow(mail.link)
        #expect(response.headers["Location"]?.contains("otp_expired") == true)
        #expect(await client.signIn(newEmail, "a better horse").status == 400)
        let signIn = await client.signIn(SocotoClient.email, "a better horse")
        #expect(signIn.status == 200)
        #expect(signIn.json["user"]?["email"]?.string == SocotoClient.email)
        #expect(signIn.json["user"]?["email_change_sent_at"] == nil)
    }

    @Test func `a new password cancels a pending email change`() async throws {
        let (client, token) = try await requestEmailChange()
        await client.send(.put, "/auth/v1/user", ["password": "a better horse"], bearer: token)
        try await expectEmailUnchanged(client)
    }

    @Test func `a reset by form cancels a pending email change`() async throws {
        let (client, _) = try await requestEmailChange()
        await client.recover()
        let token = SocotoClient.token(of: try await client.mail("reset").link)
        let done = await client.fixture.submitForm(
            "/main/socoto/reset", [("token", token), ("password", "a better horse")])
        #expect(done.heading == "Password changed")
        try await expectEmailUnchanged(client)
    }

    @Test func `a new password does not cancel an email change of the same request`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        let update = await client.send(
            .put, "/auth/v1/user", ["email": .string(newEmail), "password": "a better horse"],
            bearer: token)
        #expect(update.json["new_email"]?.string == newEmail)
        let code = try await client.mail("email change", to: newEmail).code
        let reply = await client.verify("email_change", code: code, newEmail)
        #expect(reply.status == 200)
        #expect(await client.signIn(newEmail, "a better horse").status == 200)
    }

    @Test func `a rate-limited email change leaves the password unchanged`() async throws {
        let (client, token) = try await requestEmailChange()
        let update = await client.send(
            .put, "/auth/v1/user", ["email": .string(newEmail), "password": "a better horse"],
            bearer: token)
        #expect(update.status == 429)
        #expect(await client.signIn().status == 200)
        let code = try await client.mail("email change", to: newEmail).code
        let reply = await client.verify("email_change", code: code, newEmail)
        #expect(reply.status == 200)
    }

    @Test func `a PKCE code is invalid after a new password`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        await client.recover(
            redirect: "socoto://reset",
            [
                "email": .string(SocotoClient.email),
                "code_challenge": .string(SocotoCases.challenge), "code_challenge_method": "s256",
            ])
        let link = try await client.mail("reset").link
        let location = await client.fixture.follow(link).headers["Location"] ?? ""
        let code = location.split(separator: "=").last.map(String.init)
        await client.send(.put, "/auth/v1/user", ["password": "a better horse"], bearer: token)
        let reply = await client.send(
            .post, "/auth/v1/token?grant_type=pkce",
            ["auth_code": JSON(code), "code_verifier": .string(SocotoCases.verifier)])
        #expect(reply.json["code"] == "flow_state_not_found")
    }

    @Test func `a reset mailed before an email change is invalid after it`() async throws {
        let (client, _) = try await requestEmailChange()
        await client.recover()
        let reset = try await client.mail("reset")
        let change = try await client.mail("email change", to: newEmail)
        #expect(await client.verify("email_change", code: change.code, newEmail).status == 200)
        #expect(await client.verify("recovery", code: reset.code).status == 403)
        let token = SocotoClient.token(of: reset.link)
        let form = await client.fixture.submitForm(
            "/main/socoto/reset", [("token", token), ("password", "a better horse")])
        #expect(form.heading != "Password changed")
        #expect(await client.signIn(newEmail).status == 200)
    }
}
