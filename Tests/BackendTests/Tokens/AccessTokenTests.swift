import Crypto
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct AccessTokenTests {
    @Test func `an access token contains its subject, email and expiry`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        let token = Token(decoding: reply.accessToken)
        let claims = try JSON(parsing: try #require(token.claims))
        #expect(token.algorithm == "ES256")
        #expect(token.issuer == "http://127.0.0.1:7071/main/mystica")
        #expect(token.subject == reply.json["user"]?["id"]?.string)
        #expect(claims["email"]?.string == BackendFixture.email)
        #expect(claims["email_verified"]?.bool == true)
        let now = Int64(fixture.frozen.now.timeIntervalSince1970)
        #expect(token.issuedAt == now)
        #expect(token.expiresAt == now + 3_600)
    }

    @Test func `the published keys verify an access token`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().accessToken
        let published = await fixture.send(
            Request(method: .get, target: "/main/mystica/.well-known/jwks.json"))
        let keys = try KeySet(jwks: published.text)
        guard case .verified(let algorithm, _) = keys.verify(token) else {
            Issue.record("the signature is not verified")
            return
        }
        #expect(algorithm == "ES256")
    }

    @Test func `a device's token is HS256 and expires after thirty days`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.registerDevice().accessToken
        #expect(Token(decoding: token).algorithm == "HS256")
        fixture.frozen.advance(by: 2_591_999)
        #expect(await fixture.me(token).status == 200)
        fixture.frozen.advance(by: 1)
        #expect(await fixture.me(token).code == "token_expired")
    }

    @Test func `a token's signature is verified with the keys of its contract`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().accessToken
        let device = await fixture.registerDevice().accessToken
        let other = try await BackendFixture()
        func status(_ token: String, _ fixture: BackendFixture) -> SignatureVerification.Status {
            fixture.backend.verifySignature(token, contract: "mystica").status
        }
        #expect(status(token, fixture) == .verified)
        #expect(status(device, fixture) == .verified)
        #expect(status(Self.tampered(token), fixture) == .invalid)
        // Two frozen worlds generate the same key ids but different keys.
        #expect(status(token, other) == .invalid)
        #expect(status("rt_nothing", fixture) == .opaque)
        #expect(status("eyJhbGciOiJub25lIn0.e30.", fixture) == .unsigned)
        #expect(
            fixture.backend.verifySignature(token, contract: "nothing").status
                == .unverified)
    }

    @Test func `a tampered token is rejected, even after the original was accepted`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().accessToken
        #expect(await fixture.me(token).status == 200)
        let reply = await fixture.me(Self.tampered(token))
        #expect(reply.status == 401)
        #expect(reply.code == "invalid_token")
    }

    @Test func `an artificially expired token is the same, expired a second ago`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().accessToken
        let expired = try #require(
            fixture.backend.makeExpired(token, contract: "mystica", workspace: "main"))
        let before = Token(decoding: token)
        let after = Token(decoding: expired)
        let now = Int64(fixture.frozen.now.timeIntervalSince1970)
        #expect(after.expiresAt == now - 1)
        #expect(after.issuedAt == now - 3_601)
        #expect(after.subject == before.subject)
        #expect(after.keyID == before.keyID)
        #expect(await fixture.me(expired).code == "token_expired")
        #expect(await fixture.me(token).status == 200)
    }

    @Test(arguments: ["", "garbage", "rt_x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    func `a token that the backend did not issue cannot be made expired`(_ token: String)
        async throws
    {
        let fixture = try await BackendFixture()
        #expect(fixture.backend.makeExpired(token, contract: "mystica", workspace: "main") == nil)
        #expect(
            try await fixture.backend.session(of: token, contract: "mystica", workspace: "main")
                == nil)
    }

    @Test func `a session is found by its access token and by its refresh token`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.register()
        func storedState(_ token: String) async throws -> ServerSessionState {
            try await fixture.backend.state(of: token, contract: "mystica", workspace: "main")
        }
        let state = try await storedState(reply.accessToken)
        let session = try #require(state.session)
        let account = try #require(state.account)
        #expect(try await storedState(reply.refreshToken).session == session)
        #expect(account.id == reply.json["user"]?["id"]?.string)
        #expect(account.email == BackendFixture.email)
        #expect(account.emailVerifiedAt == nil)
        #expect(session.generation == 1)
        #expect(session.revokedAt == nil)
        _ = await fixture.refresh(reply.refreshToken)
        _ = await fixture.follow(try await fixture.link(to: BackendFixture.email))
        let later = try await storedState(reply.accessToken)
        #expect(later.session?.generation == 2)
        #expect(later.account?.emailVerifiedAt != nil)
        _ = await fixture.call(.post, "/auth/logout", bearer: reply.accessToken)
        #expect(
            try await storedState(reply.accessToken).session?.revocationReason == "signed out")
    }

    @Test func `logging out with an expired token still ends its session`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        fixture.frozen.advance(by: 4_000)
        let logout = await fixture.call(.post, "/auth/logout", bearer: reply.accessToken)
        #expect(logout.json == ["success": true])
        #expect(await fixture.refresh(reply.refreshToken).status == 401)
    }

    /// Changes a character in the middle of the signature.
    private static func tampered(_ token: String) -> String {
        var bytes = Array(token.utf8)
        let index = bytes.count - 20
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
