import FoundationEssentials
import Secrets
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct AccessTokenTests {
    @Test func `an access token says whose it is and until when`() async throws {
        let house = try await BackendHouse()
        let reply = try await house.signedIn()
        let token = Token(decoding: reply.accessToken)
        let claims = try JSON(parsing: try #require(token.claims))
        #expect(token.algorithm == "ES256")
        #expect(token.issuer == "http://127.0.0.1:7071/main/mystica")
        #expect(token.subject == reply.json["user"]?["id"]?.string)
        #expect(claims["email"]?.string == BackendHouse.email)
        #expect(claims["email_verified"]?.bool == true)
        let now = Int64(house.frozen.now.timeIntervalSince1970)
        #expect(token.issuedAt == now)
        #expect(token.expiresAt == now + 3_600)
    }

    @Test func `anybody can check it with the published keys`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().accessToken
        let published = await house.send(
            Request(method: .get, target: "/main/mystica/.well-known/jwks.json"))
        let keys = try KeySet(jwks: published.text)
        guard case .verified(let algorithm, _) = keys.judge(token) else {
            Issue.record("the signature does not hold")
            return
        }
        #expect(algorithm == "ES256")
    }

    @Test func `a device's token lasts thirty days and is HS256`() async throws {
        let house = try await BackendHouse()
        let token = await house.registerDevice().accessToken
        #expect(Token(decoding: token).algorithm == "HS256")
        house.frozen.advance(by: 2_591_999)
        #expect(await house.me(token).status == 200)
        house.frozen.advance(by: 1)
        #expect(await house.me(token).code == "token_expired")
    }

    @Test func `a token is judged by the keys of its contract`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().accessToken
        let device = await house.registerDevice().accessToken
        let other = try await BackendHouse()
        func word(_ token: String, _ house: BackendHouse) -> Verdict.Word {
            house.backend.judge(token, contract: "mystica", workspace: "main").word
        }
        #expect(word(token, house) == .verified)
        #expect(word(device, house) == .verified)
        #expect(word(Self.changed(token), house) == .invalid)
        // Key ids are the same in two frozen worlds; the keys are not.
        #expect(word(token, other) == .invalid)
        #expect(word("rt_nothing", house) == .opaque)
        #expect(word("eyJhbGciOiJub25lIn0.e30.", house) == .unsigned)
        #expect(
            house.backend.judge(token, contract: "nothing", workspace: "main").word == .unverified)
    }

    @Test func `a changed token is refused, even after the true one was seen`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().accessToken
        #expect(await house.me(token).status == 200)
        let reply = await house.me(Self.changed(token))
        #expect(reply.status == 401)
        #expect(reply.code == "invalid_token")
    }

    @Test func `a token aged by hand is the same, ended a second ago`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().accessToken
        let old = try #require(house.backend.expired(token, contract: "mystica", workspace: "main"))
        let before = Token(decoding: token)
        let after = Token(decoding: old)
        let now = Int64(house.frozen.now.timeIntervalSince1970)
        #expect(after.expiresAt == now - 1)
        #expect(after.issuedAt == now - 3_601)
        #expect(after.subject == before.subject)
        #expect(after.keyID == before.keyID)
        #expect(await house.me(old).code == "token_expired")
        #expect(await house.me(token).status == 200)
    }

    @Test(arguments: ["", "garbage", "rt_x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    func `what is not ours cannot be aged`(_ token: String) async throws {
        let house = try await BackendHouse()
        #expect(house.backend.expired(token, contract: "mystica", workspace: "main") == nil)
        #expect(
            try await house.backend.session(of: token, contract: "mystica", workspace: "main")
                == nil)
    }

    @Test func `the server knows a session by either of its tokens`() async throws {
        let house = try await BackendHouse()
        let reply = await house.register()
        func known(_ token: String) async throws -> EmbeddedBackend.KnownSession? {
            try await house.backend.session(of: token, contract: "mystica", workspace: "main")
        }
        let session = try #require(try await known(reply.accessToken))
        #expect(try await known(reply.refreshToken) == session)
        #expect(session.userID == reply.json["user"]?["id"]?.string)
        #expect(session.email == BackendHouse.email)
        #expect(!session.emailVerified)
        #expect(session.generation == 1)
        #expect(session.revokedAt == nil)
        _ = await house.refresh(reply.refreshToken)
        _ = await house.follow(try await house.link(to: BackendHouse.email))
        let later = try #require(try await known(reply.accessToken))
        #expect(later.generation == 2)
        #expect(later.emailVerified)
        _ = await house.call(.post, "/auth/logout", bearer: reply.accessToken)
        #expect(try await known(reply.accessToken)?.revokedBecause == "signed out")
    }

    @Test func `logging out with an expired token still ends its session`() async throws {
        let house = try await BackendHouse()
        let reply = try await house.signedIn()
        house.frozen.advance(by: 4_000)
        let logout = await house.call(.post, "/auth/logout", bearer: reply.accessToken)
        #expect(logout.json == ["success": true])
        #expect(await house.refresh(reply.refreshToken).status == 401)
    }

    /// Another letter in the middle of the signature.
    private static func changed(_ token: String) -> String {
        var bytes = Array(token.utf8)
        let index = bytes.count - 20
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
