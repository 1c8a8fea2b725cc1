import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoMailTests {
    @Test func `link and code are one thing, used once`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        await client.signUp()
        let mail = try await client.mail("verify")
        let reply = await client.house.follow(mail.link)
        #expect(reply.headers["Location"]?.contains("access_token=") == true)
        #expect(await client.verify("signup", code: mail.code).status == 403)
        let again = await client.house.follow(mail.link)
        #expect(again.headers["Location"]?.contains("otp_expired") == true)
    }

    @Test func `looking at a link uses nothing up`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        await client.signUp()
        let mail = try await client.mail("verify")
        _ = await client.house.follow(mail.link, method: .head)
        #expect(await client.verify("signup", code: mail.code).status == 200)
    }

    @Test func `a newer mail takes the older one's place`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        await client.signUp()
        let old = try await client.mail("verify")
        client.house.frozen.advance(by: 1)
        await client.signUp()
        let new = try await client.mail("verify")
        #expect(old.link != new.link)
        let reply = await client.house.follow(old.link)
        #expect(reply.headers["Location"]?.contains("otp_expired") == true)
        #expect(await client.verify("signup", code: new.code).status == 200)
    }

    @Test func `ten wrong guesses end a code`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        await client.signUp()
        let code = try await client.mail("verify").code
        let wrong = code == "111111" ? "222222" : "111111"
        for _ in 0..<10 { #expect(await client.verify("signup", code: wrong).status == 403) }
        #expect(await client.verify("signup", code: code).status == 403)
    }

    @Test func `a link with a challenge signs nobody in by itself`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        await client.recover(
            redirect: "socoto://reset",
            [
                "email": .string(SocotoClient.email),
                "code_challenge": .string(SocotoCases.challenge), "code_challenge_method": "s256",
            ])
        let link = try await client.mail("reset").link
        let place = await client.house.follow(link).headers["Location"] ?? ""
        #expect(place.hasPrefix("socoto://reset?code="))
        let code = place.split(separator: "=").last.map(String.init)
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

    @Test func `the code of a mail with a challenge works without it`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        await client.recover(
            redirect: nil,
            [
                "email": .string(SocotoClient.email),
                "code_challenge": .string(SocotoCases.challenge), "code_challenge_method": "s256",
            ])
        let code = try await client.mail("reset").code
        #expect(await client.verify("recovery", code: code).status == 200)
    }

    @Test func `an address is changed once its new mail is answered`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let person = try await client.person()
        await client.send(
            .put, "/auth/v1/user", ["email": "ada@king.example"], bearer: person.accessToken)
        #expect(await client.signIn("ada@king.example").status == 400)
        let mail = try await client.mail("email change", to: "ada@king.example")
        _ = await client.house.follow(mail.link)
        #expect(await client.signIn("ada@king.example").status == 200)
        #expect(await client.signIn().status == 400)
        let user = await client.user(person.accessToken)
        #expect(user.json["email"] == "ada@king.example")
        #expect(user.json["new_email"] == nil)
    }

    @Test func `asking again too soon says so and keeps the first link`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        await client.recover()
        #expect(await client.recover().status == 429)
        let code = try await client.mail("reset").code
        #expect(await client.verify("recovery", code: code).status == 200)
    }
}
