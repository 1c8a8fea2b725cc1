import Crypto
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct ClarityTokenTests {
    private static let claims: [(String, JSON)] = [
        ("iss", "https://securetoken.google.com/clarity-pulse"),
        ("aud", "clarity-pulse"), ("email", "ada@example.com"),
        ("email_verified", false), ("iat", 1_795_271_700),
        ("exp", 1_795_275_300), ("auth_time", 1_795_271_700),
        (
            "firebase",
            ["identities": ["email": ["ada@example.com"]], "sign_in_provider": "password"]
        ),
    ]

    @Test func `an ID token is signed and says what Firebase's does`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.person()
        let token = Token(decoding: reply.idToken)
        #expect(token.algorithm == "RS256")
        #expect(token.keyID == "key_lent")
        let read = try JSON(parsing: try #require(token.claims))
        for (name, value) in Self.claims { #expect(read[name] == value) }
        #expect(read["sub"]?.string == reply.json["localId"]?.string)
        #expect(read["user_id"] == read["sub"])
        #expect(read["session_id"] == nil)
        let verdict = fixture.backend.verifySignature(
            reply.idToken, contract: "clarity", workspace: "main")
        #expect(verdict.status == .verified)
    }

    @Test func `the console finds the session of a token that names none`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        fixture.frozen.advance(by: 60)
        let reply = await fixture.back()
        for token in [reply.idToken, reply.googleRefreshToken] {
            let session = try await fixture.backend.session(
                of: token, contract: "clarity", workspace: "main")
            #expect(session?.email == BackendFixture.email)
            #expect(session?.revokedAt == nil)
        }
        _ = await fixture.send(.own("/logout", ClarityCase.refreshing(reply)))
        let ended = try await fixture.backend.session(
            of: reply.idToken, contract: "clarity", workspace: "main")
        #expect(ended?.revocationReason == "signed out")
    }

    @Test func `the key of ID tokens is published as a certificate`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(
            Request(
                method: .get,
                target: "/www.googleapis.com/robot/v1/metadata/x509/"
                    + "securetoken@system.gserviceaccount.com"))
        #expect(reply.status == 200)
        let token = Token(decoding: await fixture.person().idToken)
        let name = try #require(token.keyID)
        let text = try #require(reply.json[name]?.string)
        #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(text.hasSuffix("-----END CERTIFICATE-----\n"))
    }

    @Test func `an aged token is expired`() async throws {
        let fixture = try await BackendFixture()
        let aged = try #require(
            fixture.backend.makeExpired(
                await fixture.person().idToken, contract: "clarity", workspace: "main"))
        #expect(await fixture.lookup(aged).message == "TOKEN_EXPIRED")
    }

    @Test func `a refresh token works again and again`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.person()
        for _ in 0..<3 {
            fixture.frozen.advance(by: 3_600)
            let next = await fixture.send(.secureToken(ClarityCase.form(reply)))
            #expect(next.json["refresh_token"]?.string == reply.googleRefreshToken)
            let token = next.json["id_token"]?.string ?? ""
            #expect(await fixture.lookup(token).status == 200)
            // The sign-in stays when it was.
            let read = try JSON(parsing: Token(decoding: token).claims ?? "")
            #expect(read["auth_time"] == 1_795_271_700)
        }
    }

    @Test func `tokens of the second of a change stay good`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.person()
        let changed = await fixture.google(
            "update",
            ["idToken": .string(reply.idToken), "password": .string(BackendFixture.newPassword)])
        #expect(await fixture.lookup(changed.idToken).status == 200)
        #expect(await fixture.lookup(reply.idToken).status == 200)
    }

    @Test func `another workspace knows nobody of this one`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let reply = await fixture.person()
        let asked = await fixture.send(
            .post(
                "/other/clarity/identitytoolkit.googleapis.com/v1/accounts:lookup?key=k",
                ClarityCase.token(reply)))
        #expect(asked.message == "USER_NOT_FOUND")
    }

    @Test func `a reset lets in whoever guessed too often`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        await fixture.guessTooOften()
        let code = try await fixture.resetCode()
        _ = await fixture.google(
            "resetPassword",
            ["oobCode": .string(code), "newPassword": .string(BackendFixture.newPassword)])
        #expect(await fixture.back(BackendFixture.newPassword).status == 200)
    }

    @Test func `wrong guesses are forgotten after a while`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        await fixture.guessTooOften()
        fixture.frozen.advance(by: 900)
        #expect(await fixture.back().status == 200)
    }
}
