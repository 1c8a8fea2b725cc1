import Support
import Testing
import Web

@testable import Backend

/// The PKCE prefix of a mailed link's token, and redirects of invalid links.
@Suite(.timeLimit(.minutes(10))) struct SocotoLinkTests {
    /// Requests a password reset, with or without a PKCE challenge, and returns its link.
    private func requestReset(withChallenge: Bool, to redirect: String? = "socoto://reset")
        async throws -> (
            SocotoClient, link: String
        )
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        var body: [JSON.Member] = [.init("email", .string(SocotoClient.email))]
        if withChallenge {
            body += [
                .init("code_challenge", .string(SocotoCases.challenge)),
                .init("code_challenge_method", "s256"),
            ]
        }
        await client.recover(redirect: redirect, .object(body))
        return (client, try await client.mail("reset").link)
    }

    @Test func `a PKCE link's token is invalid without its prefix`() async throws {
        let (client, link) = try await requestReset(withChallenge: true)
        let unprefixed = link.replacing("token=pkce_", with: "token=")
        #expect(unprefixed != link)
        let response = await client.fixture.follow(unprefixed)
        #expect(response.headers["Location"]?.contains("access_token") == false)
        #expect(response.headers["Location"]?.contains("otp_expired") == true)
        let token = SocotoClient.token(of: unprefixed)
        let verified = await client.send(
            .post, "/auth/v1/verify", ["type": "recovery", "token_hash": .string(token)])
        #expect(verified.json["code"] == "otp_expired")
        let original = await client.fixture.follow(link)
        #expect(original.headers["Location"]?.contains("?code=") == true)
    }

    @Test func `a PKCE prefix makes another link's token invalid`() async throws {
        let (client, link) = try await requestReset(withChallenge: false)
        let prefixed = link.replacing("token=", with: "token=pkce_")
        let response = await client.fixture.follow(prefixed)
        #expect(response.headers["Location"]?.contains("otp_expired") == true)
        let original = await client.fixture.follow(link)
        #expect(original.headers["Location"]?.contains("access_token") == true)
    }

    @Test(arguments: ["junk", "used", "expired", "replaced"])
    func `an invalid reset link without a redirect leads to the site`(_ defect: String) async throws
    {
        var (client, link) = try await requestReset(withChallenge: false, to: nil)
        switch defect {
        case "junk": link.replace("token=", with: "token=0")
        case "expired": client.fixture.frozen.advance(by: 3_600)
        case "replaced":
            client.fixture.frozen.advance(by: 1)
            await client.recover()
        default:
            let code = try await client.mail("reset").code
            _ = await client.verify("recovery", code: code)
        }
        let response = await client.fixture.follow(link)
        #expect(response.status == 303)
        #expect(
            response.headers["Location"] == BackendFixture.baseURL
                + "/main/socoto/site#error=access_denied"
                + "&error_code=otp_expired&error_description="
                + "Email+link+is+invalid+or+has+expired&sb=")
    }

    @Test(arguments: [false, true])
    func `a reset link without a redirect leads to the site with its result`(
        _ withChallenge: Bool
    ) async throws {
        let (client, link) = try await requestReset(withChallenge: withChallenge, to: nil)
        let location = await client.fixture.follow(link).headers["Location"] ?? ""
        let site = BackendFixture.baseURL + "/main/socoto/site"
        #expect(location.hasPrefix(site + (withChallenge ? "?code=" : "#access_token=")))
    }

    @Test(arguments: [("verify", "signup"), ("login", "magiclink")])
    func `the type that means two kinds is reported as the one that was sent`(
        _ purpose: String, _ type: String
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        if purpose == "login" { try await client.createUser() }
        await client.send(.post, "/auth/v1/otp", ["email": .string(SocotoClient.email)])
        let link = try await client.mail(purpose).link.replacing("type=\(type)", with: "type=email")
        let location = await client.fixture.follow(link).headers["Location"]
        #expect(location?.hasSuffix("&type=\(type)") == true)
    }
}
