import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Who sets a new password puts everybody else out, whatever they prepared.
@Suite(.timeLimit(.minutes(10))) struct SocotoTakeoverTests {
    private let other = "eve@example.com"

    /// Somebody in whose account a change to `other` was asked for.
    private func changing() async throws -> (SocotoClient, token: String) {
        let client = SocotoClient(house: try await BackendFixture())
        let token = try await client.person().accessToken
        let asked = await client.send(
            .put, "/auth/v1/user", ["email": .string(other)], bearer: token)
        #expect(asked.json["new_email"]?.string == other)
        return (client, token)
    }

    /// The mail to `other` does nothing, by its code or its link.
    private func expectNothing(of client: SocotoClient) async throws {
        let mail = try await client.mail("email change", to: other)
        let reply = await client.verify("email_change", code: mail.code, other)
        #expect(reply.status == 403)
        let led = await client.house.follow(mail.link)
        #expect(led.headers["Location"]?.contains("otp_expired") == true)
        #expect(await client.signIn(other, "a better horse").status == 400)
        let mine = await client.signIn(SocotoClient.email, "a better horse")
        #expect(mine.status == 200)
        #expect(mine.json["user"]?["email"]?.string == SocotoClient.email)
        #expect(mine.json["user"]?["new_email"] == nil)
        #expect(mine.json["user"]?["email_change_sent_at"] == nil)
    }

    @Test func `a new password ends a change of address that waits`() async throws {
        let (client, token) = try await changing()
        let update = await client.send(
            .put, "/auth/v1/user", ["password": "a better horse"], bearer: token)
        #expect(update.json["new_email"] == nil)
        try await expectNothing(of: client)
    }

    @Test func `a reset by the page ends it as well`() async throws {
        let (client, _) = try await changing()
        await client.recover()
        let token = SocotoClient.token(of: try await client.mail("reset").link)
        let done = await client.house.submit(
            "/main/socoto/reset", [("token", token), ("password", "a better horse")])
        #expect(done.heading == "Password changed")
        try await expectNothing(of: client)
    }

    @Test func `a password and an address at once keep their own mail`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let token = try await client.person().accessToken
        let update = await client.send(
            .put, "/auth/v1/user", ["email": .string(other), "password": "a better horse"],
            bearer: token)
        #expect(update.json["new_email"]?.string == other)
        let code = try await client.mail("email change", to: other).code
        let reply = await client.verify("email_change", code: code, other)
        #expect(reply.status == 200)
        #expect(await client.signIn(other, "a better horse").status == 200)
    }

    @Test func `a mail held back holds the password back as well`() async throws {
        let (client, token) = try await changing()
        let update = await client.send(
            .put, "/auth/v1/user", ["email": .string(other), "password": "a better horse"],
            bearer: token)
        #expect(update.status == 429)
        #expect(await client.signIn().status == 200)
        let code = try await client.mail("email change", to: other).code
        let reply = await client.verify("email_change", code: code, other)
        #expect(reply.status == 200)
    }

    @Test func `a code of a flow is worth nothing after a new password`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let token = try await client.person().accessToken
        await client.recover(
            redirect: "socoto://reset",
            [
                "email": .string(SocotoClient.email),
                "code_challenge": .string(SocotoCases.challenge), "code_challenge_method": "s256",
            ])
        let link = try await client.mail("reset").link
        let place = await client.house.follow(link).headers["Location"] ?? ""
        let code = place.split(separator: "=").last.map(String.init)
        await client.send(.put, "/auth/v1/user", ["password": "a better horse"], bearer: token)
        let reply = await client.send(
            .post, "/auth/v1/token?grant_type=pkce",
            ["auth_code": JSON(code), "code_verifier": .string(SocotoCases.verifier)])
        #expect(reply.json["code"] == "flow_state_not_found")
    }

    @Test func `a reset mailed to an address before it changed is none`() async throws {
        let (client, _) = try await changing()
        await client.recover()
        let reset = try await client.mail("reset")
        let change = try await client.mail("email change", to: other)
        #expect(await client.verify("email_change", code: change.code, other).status == 200)
        #expect(await client.verify("recovery", code: reset.code).status == 403)
        let token = SocotoClient.token(of: reset.link)
        let form = await client.house.submit(
            "/main/socoto/reset", [("token", token), ("password", "a better horse")])
        #expect(form.heading != "Password changed")
        #expect(await client.signIn(other).status == 200)
    }
}
