import Support
import Testing
import Web

@testable import Backend

/// What a link's token says of itself, and where it leads.
@Suite(.timeLimit(.minutes(10))) struct SocotoLinkTests {
    /// A reset asked for, with a challenge or without.
    private func asked(withChallenge: Bool, to place: String? = "socoto://reset") async throws -> (
        SocotoClient, link: String
    ) {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        var body: [JSON.Member] = [.init("email", .string(SocotoClient.email))]
        if withChallenge {
            body += [
                .init("code_challenge", .string(SocotoCases.challenge)),
                .init("code_challenge_method", "s256"),
            ]
        }
        await client.recover(redirect: place, .object(body))
        return (client, try await client.mail("reset").link)
    }

    @Test func `a flow's link without its mark is nobody's`() async throws {
        let (client, link) = try await asked(withChallenge: true)
        let bare = link.replacing("token=pkce_", with: "token=")
        #expect(bare != link)
        let led = await client.house.follow(bare)
        #expect(led.headers["Location"]?.contains("access_token") == false)
        #expect(led.headers["Location"]?.contains("otp_expired") == true)
        let token = SocotoClient.token(of: bare)
        let verified = await client.send(
            .post, "/auth/v1/verify", ["type": "recovery", "token_hash": .string(token)])
        #expect(verified.json["code"] == "otp_expired")
        let form = await client.house.follow(
            BackendFixture.base + "/main/socoto/reset?token=\(token)")
        #expect(form.heading == "This link does not work")
        let whole = await client.house.follow(link)
        #expect(whole.headers["Location"]?.contains("?code=") == true)
    }

    @Test func `a mark before another link's token makes it nobody's`() async throws {
        let (client, link) = try await asked(withChallenge: false)
        let marked = link.replacing("token=", with: "token=pkce_")
        let led = await client.house.follow(marked)
        #expect(led.headers["Location"]?.contains("otp_expired") == true)
        let whole = await client.house.follow(link)
        #expect(whole.headers["Location"]?.contains("access_token") == true)
    }

    @Test(arguments: ["junk", "used", "expired", "replaced"])
    func `a dead reset link without a place leads to the site`(_ fate: String) async throws {
        var (client, link) = try await asked(withChallenge: false, to: nil)
        #expect(
            await client.house.follow(link).headers["Location"]?.contains("/reset?token=") == true)
        switch fate {
        case "junk": link.replace("token=", with: "token=0")
        case "expired": client.house.frozen.advance(by: 3_600)
        case "replaced":
            client.house.frozen.advance(by: 1)
            await client.recover()
        default:
            let code = try await client.mail("reset").code
            _ = await client.verify("recovery", code: code)
        }
        let led = await client.house.follow(link)
        #expect(led.status == 303)
        #expect(
            led.headers["Location"] == BackendFixture.base + "/main/socoto/site#error=access_denied"
                + "&error_code=otp_expired&error_description="
                + "Email+link+is+invalid+or+has+expired&sb=")
    }
}
