import Support
import Testing
import Web

@testable import Backend

/// What administrators import, and the description of what they can request.
@Suite(.timeLimit(.minutes(10))) struct ClarityImportTests {
    @Test(arguments: ["HMAC_SHA256", "SCRYPT", "PBKDF2_SHA256", "MD5", "SHA512"])
    func `an account is imported with a hash that cannot be verified, and no password works`(
        _ algorithm: String
    ) async throws {
        let fixture = try await BackendFixture()
        let user: JSON = [
            "localId": "ada", "email": .string(BackendFixture.email), "passwordHash": "aGFzaA",
            "salt": "c2FsdA",
        ]
        let reply = await fixture.admin(
            ":batchCreate", ["users": [user], "hashAlgorithm": .string(algorithm)])
        #expect(reply.json["error"] == [])
        #expect(await fixture.signInWithFirebase("hash").message == "INVALID_PASSWORD")
        let found = await fixture.admin(":lookup", ["localId": ["ada"]]).json["users"]?[0]
        #expect(found?["providerUserInfo"]?[0]?["providerId"] == "password")
    }

    @Test func `the document that the root names describes the methods`() async throws {
        let fixture = try await BackendFixture()
        let root = await fixture.send(Request(method: .get, target: "/")).json
        let target = try #require(root["authEmulator"]?["apiSpec"]?.string)
        let document = await fixture.send(Request(method: .get, target: target)).json
        #expect(document["openapi"] == "3.1.0")
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp"
        #expect(document["paths"]?[path]?["post"] != nil)
    }
}
