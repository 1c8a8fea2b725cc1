import Crypto
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct AccessTokenTests {
    @Test func `an access token says whose it is and until when`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
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

    @Test func `anybody can check it with the published keys`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signedIn().accessToken
        let published = await fixture.send(
            Request(method: .get, target: "/main/mystica/.well-known/jwks.json"))
        let keys = try KeySet(jwks: published.text)
        guard case .verified(let algorithm, _) = keys.verify(token) else {
            Issue.record("the signature does not hold")
            return
        }
        #expect(algorithm == "ES256")
    }

    @Test func `a device's token lasts thirty days and is HS256`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.registerDevice().accessToken
        #expect(Token(decoding: token).algorithm == "HS256")
        fixture.frozen.advance(by: 2_591_999)
        #expect(await fixture.me(token).status == 200)
        fixture.frozen.advance(by: 1)
        #expect(await fixture.me(token).code == "token_expired")
    }

    @Test func `a token is judged by the keys of its contract`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signedIn().accessToken
        let device = await fixture.registerDevice().accessToken
        let other = try await BackendFixture()
        func word(_ token: String, _ fixture: BackendFixture) -> SignatureVerification.Status {
            fixture.backend.verifySignature(token, contract: "mystica", workspace: "main").status
        }
        #expect(word(token, fixture) == .verified)
        #expect(word(device, fixture) == .verified)
        #expect(word(Self.changed(token), fixture) == .invalid)
        // Key ids are the same in two frozen worlds; the keys are not.
        #expect(word(token, other) == .invalid)
        #expect(word("rt_nothing", fixture) == .opaque)
        #expect(word("eyJhbGciOiJub25lIn0.e30.", fixture) == .unsigned)
        #expect(
            fixture.backend.verifySignature(token, contract: "nothing", workspace: "main").status
                == .unverified)
    }

    @Test func `a changed token is refused, even after the true one was seen`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signedIn().accessToken
        #expect(await fixture.me(token).status == 200)
        let reply = await fixture.me(Self.changed(token))
        #expect(reply.status == 401)
        #expect(reply.code == "invalid_token")
    }

    @Test func `a token aged by hand is the same, ended a second ago`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signedIn().accessToken
        let old = try #require(
            fixture.backend.makeExpired(token, contract: "mystica", workspace: "main"))
        let before = Token(decoding: token)
        let after = Token(decoding: old)
        let now = Int64(fixture.frozen.now.timeIntervalSince1970)
        #expect(after.expiresAt == now - 1)
        #expect(after.issuedAt == now - 3_601)
        #expect(after.subject == before.subject)
        #expect(after.keyID == before.keyID)
        #expect(await fixture.me(old).code == "token_expired")
        #expect(await fixture.me(token).status == 200)
    }

    @Test(arguments: ["", "garbage", "rt_x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    func `what is not ours cannot be aged`(_ token: String) async throws {
        let fixture = try await BackendFixture()
        #expect(fixture.backend.makeExpired(token, contract: "mystica", workspace: "main") == nil)
        #expect(
            try await fixture.backend.session(of: token, contract: "mystica", workspace: "main")
                == nil)
    }

    @Test func `the server knows a session by either of its tokens`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.register()
        func known(_ token: String) async throws -> EmbeddedBackend.SessionInfo? {
            try await fixture.backend.session(of: token, contract: "mystica", workspace: "main")
        }
        let session = try #require(try await known(reply.accessToken))
        #expect(try await known(reply.refreshToken) == session)
        #expect(session.userID == reply.json["user"]?["id"]?.string)
        #expect(session.email == BackendFixture.email)
        #expect(!session.isEmailVerified)
        #expect(session.generation == 1)
        #expect(session.revokedAt == nil)
        _ = await fixture.refresh(reply.refreshToken)
        _ = await fixture.follow(try await fixture.link(to: BackendFixture.email))
        let later = try #require(try await known(reply.accessToken))
        #expect(later.generation == 2)
        #expect(later.isEmailVerified)
        _ = await fixture.call(.post, "/auth/logout", bearer: reply.accessToken)
        #expect(try await known(reply.accessToken)?.revocationReason == "signed out")
    }

    @Test func `logging out with an expired token still ends its session`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        fixture.frozen.advance(by: 4_000)
        let logout = await fixture.call(.post, "/auth/logout", bearer: reply.accessToken)
        #expect(logout.json == ["success": true])
        #expect(await fixture.refresh(reply.refreshToken).status == 401)
    }

    /// Another letter in the middle of the signature.
    private static func changed(_ token: String) -> String {
        var bytes = Array(token.utf8)
        let index = bytes.count - 20
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
