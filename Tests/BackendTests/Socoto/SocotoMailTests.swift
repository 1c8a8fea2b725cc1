import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoMailTests {
    @Test func `a mail's link and code share a single use`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp()
        let mail = try await client.mail("verify")
        let reply = await client.fixture.follow(mail.link)
        #expect(reply.headers["Location"]?.contains("access_token=") == true)
        #expect(await client.verify("signup", code: mail.code).status == 403)
        let again = await client.fixture.follow(mail.link)
        #expect(again.headers["Location"]?.contains("otp_expired") == true)
    }

    @Test func `a HEAD request does not use up a link`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp()
        let mail = try await client.mail("verify")
        _ = await client.fixture.follow(mail.link, method: .head)
        #expect(await client.verify("signup", code: mail.code).status == 200)
    }

    @Test func `a newer mail invalidates the older one's link`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp()
        let old = try await client.mail("verify")
        client.fixture.frozen.advance(by: 1)
        await client.signUp()
        let new = try await client.mail("verify")
        #expect(old.link != new.link)
        let reply = await client.fixture.follow(old.link)
        #expect(reply.headers["Location"]?.contains("otp_expired") == true)
        #expect(await client.verify("signup", code: new.code).status == 200)
    }

    @Test func `ten wrong guesses invalidate a code`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp()
        let code = try await client.mail("verify").code
        let wrong = code == "111111" ? "222222" : "111111"
        for _ in 0..<10 { #expect(await client.verify("signup", code: wrong).status == 403) }
        #expect(await client.verify("signup", code: code).status == 403)
    }

    @Test func `a link with a challenge redirects with a code and no session`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        await client.recover(
            redirect: "socoto://reset",
            [
                "email": .string(SocotoClient.email),
                "code_challenge": .string(SocotoCases.challenge), "code_challenge_method": "s256",
            ])
        let link = try await client.mail("reset").link
        let location = await client.fixture.follow(link).headers["Location"] ?? ""
        #expect(location.hasPrefix("socoto://reset?code="))
        let code = location.split(separator: "=").last.map(String.init)
        let exchange: JSON = [
            "auth_code": JSON(code), "code_verifier": .string(SocotoCases.verifier),
        ]
        let path = "/auth/v1/token?grant_type=pkce"
        let reply = await client.send(.post, path, exchange)
        #expect(reply.status == 200)
        #expect(await client.user(reply.accessToken).status == 200)
        let again = await client.send(.post, path, exchange)
        #expect(again.json["code"] == "flow_state_not_found")
    }

    @Test func `a mailed code needs no PKCE verifier`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        await client.recover(
            redirect: nil,
            [
                "email": .string(SocotoClient.email),
                "code_challenge": .string(SocotoCases.challenge), "code_challenge_method": "s256",
            ])
        let code = try await client.mail("reset").code
        #expect(await client.verify("recovery", code: code).status == 200)
    }

    @Test func `an email changes once the link mailed to the new one is followed`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let session = try await client.createUser()
        await client.send(
            .put, "/auth/v1/user", ["email": "ada@king.example"], bearer: session.accessToken)
        #expect(await client.signIn("ada@king.example").status == 400)
        let mail = try await client.mail("email change", to: "ada@king.example")
        _ = await client.fixture.follow(mail.link)
        #expect(await client.signIn("ada@king.example").status == 200)
        #expect(await client.signIn().status == 400)
        let user = await client.user(session.accessToken)
        #expect(user.json["email"] == "ada@king.example")
        #expect(user.json["new_email"] == nil)
    }

    @Test func `a reset requested again too soon keeps the first code valid`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        await client.recover()
        #expect(await client.recover().status == 429)
        let code = try await client.mail("reset").code
        #expect(await client.verify("recovery", code: code).status == 200)
    }
}
