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

    @Test func `an ID token is signed and has Firebase's claims`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.signUpWithFirebase()
        let token = Token(decoding: reply.idToken)
        #expect(token.algorithm == "RS256")
        #expect(token.keyID == "key_lent")
        let claims = try JSON(parsing: try #require(token.claims))
        for (name, value) in Self.claims { #expect(claims[name] == value) }
        #expect(claims["sub"]?.string == reply.json["localId"]?.string)
        #expect(claims["user_id"] == claims["sub"])
        #expect(claims["session_id"] == nil)
        let verdict = fixture.backend.verifySignature(reply.idToken, contract: "clarity")
        #expect(verdict.status == .verified)
    }

    @Test func `the session of a token without a session id is found`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        fixture.frozen.advance(by: 60)
        let reply = await fixture.signInWithFirebase()
        for token in [reply.idToken, reply.googleRefreshToken] {
            let state = try await fixture.backend.state(
                of: token, contract: "clarity", workspace: "main")
            #expect(state.account?.email == BackendFixture.email)
            #expect(state.session?.revokedAt == nil)
        }
        _ = await fixture.send(.own("/logout", ClarityCase.refreshBody(reply)))
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
        let token = Token(decoding: await fixture.signUpWithFirebase().idToken)
        let name = try #require(token.keyID)
        let text = try #require(reply.json[name]?.string)
        #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(text.hasSuffix("-----END CERTIFICATE-----\n"))
    }

    @Test func `a token that was made expired is rejected as expired`() async throws {
        let fixture = try await BackendFixture()
        let expired = try #require(
            fixture.backend.makeExpired(
                await fixture.signUpWithFirebase().idToken, contract: "clarity", workspace: "main"))
        #expect(await fixture.lookup(expired).message == "TOKEN_EXPIRED")
    }

    @Test func `a refresh token can be used repeatedly`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.signUpWithFirebase()
        for _ in 0..<3 {
            fixture.frozen.advance(by: 3_600)
            let next = await fixture.send(.secureToken(ClarityCase.refreshForm(reply)))
            #expect(next.json["refresh_token"]?.string == reply.googleRefreshToken)
            let token = next.json["id_token"]?.string ?? ""
            #expect(await fixture.lookup(token).status == 200)
            // The time of the sign-in does not change.
            let claims = try JSON(parsing: Token(decoding: token).claims ?? "")
            #expect(claims["auth_time"] == 1_795_271_700)
        }
    }

    @Test func `tokens issued in the second of a password change stay valid`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.signUpWithFirebase()
        let changed = await fixture.google(
            "update",
            ["idToken": .string(reply.idToken), "password": .string(BackendFixture.newPassword)])
        #expect(await fixture.lookup(changed.idToken).status == 200)
        #expect(await fixture.lookup(reply.idToken).status == 200)
    }

    @Test func `an account of one workspace is unknown in another`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let reply = await fixture.signUpWithFirebase()
        let lookup = await fixture.send(
            .post(
                "/other/clarity/identitytoolkit.googleapis.com/v1/accounts:lookup?key=k",
                ClarityCase.tokenBody(reply)))
        #expect(lookup.message == "USER_NOT_FOUND")
    }

    @Test func `a password reset lifts the lock after wrong guesses`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        await fixture.guessTooOften()
        let code = try await fixture.resetCode()
        _ = await fixture.google(
            "resetPassword",
            ["oobCode": .string(code), "newPassword": .string(BackendFixture.newPassword)])
        #expect(await fixture.signInWithFirebase(BackendFixture.newPassword).status == 200)
    }

    @Test func `wrong guesses are forgotten when all accounts are deleted`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        await fixture.guessTooOften()
        _ = await fixture.emulator("accounts", .delete)
        await fixture.signUpWithFirebase()
        #expect(await fixture.signInWithFirebase("wrong password").message == "INVALID_PASSWORD")
    }

    @Test func `wrong guesses expire after 15 minutes`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        await fixture.guessTooOften()
        fixture.frozen.advance(by: 900)
        #expect(await fixture.signInWithFirebase().status == 200)
    }
}
