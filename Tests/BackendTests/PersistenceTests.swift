import Crypto
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct PersistenceTests {
    @Test func `keys, accounts and sessions outlive the process`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database)
        let reply = try await fixture.signedIn()
        let keys = await jwks(fixture)
        await fixture.database.close()

        let later = try await BackendFixture(path: folder.database, frozen: fixture.frozen)
        #expect(await jwks(later) == keys)
        #expect(await later.me(reply.accessToken).status == 200)
        #expect(await later.refresh(reply.refreshToken).status == 200)
        #expect(await later.login().status == 200)
        await later.database.close()
    }

    @Test func `a key that takes long is made once, and kept`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database, lendsKey: false)
        let texts = await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { await self.jwks(fixture, of: "clarity") } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
        let made = try #require(texts.first)
        #expect(made.contains(#""kty":"RSA""#))
        await fixture.database.close()

        let later = try await BackendFixture(path: folder.database, lendsKey: false)
        #expect(await jwks(later, of: "clarity") == made)
        await later.database.close()
    }

    @Test func `a key that could not be kept is made when next asked for`() async throws {
        let folder = try TemporaryDirectory()
        let before = try Database(
            path: folder.database, durability: .normal, migrations: EmbeddedBackend.migrations)
        try await before.write { connection in
            try connection.run(
                """
                CREATE TRIGGER full BEFORE INSERT ON signing_keys
                WHEN NEW.contract = 'clarity' AND NEW.role = 'access'
                BEGIN SELECT RAISE(ABORT, 'full'); END
                """, [])
        }
        await before.close()

        let fixture = try await BackendFixture(path: folder.database, lendsKey: false)
        #expect(await !jwks(fixture, of: "clarity").contains("RSA"))
        try await fixture.database.write { connection in try connection.run("DROP TRIGGER full", [])
        }
        #expect(await jwks(fixture, of: "clarity").contains(#""kty":"RSA""#))
    }

    @Test func `keys sealed with another key are refused at the start`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database)
        await fixture.database.close()
        let error = await #expect(throws: CryptoError.self) {
            _ = try await BackendFixture(path: folder.database, sealingByte: 8)
        }
        #expect(error?.kind == .wrongKey)
    }

    @Test func `the database holds no password, token or link as it is`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database)
        let reply = try await fixture.signedIn()
        let refreshed = await fixture.refresh(reply.refreshToken)
        let link = try await fixture.resetLinkOfSignedIn()
        await fixture.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.database))
        let secrets = [
            BackendFixture.password, reply.accessToken, reply.refreshToken, refreshed.accessToken,
            refreshed.refreshToken, String(link.split(separator: "token=").last ?? ""), #""d":""#,
        ]
        for secret in secrets {
            #expect(!secret.isEmpty)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search itself finds what is there.
        #expect(bytes.firstRange(of: Data(BackendFixture.email.utf8)) != nil)
    }

    @Test func `a reset empties one workspace and no other`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        try await fixture.verified(in: "other")
        let mine = try await fixture.signedIn()
        let device = await fixture.registerDevice()
        try await fixture.backend.reset(workspace: "main")

        #expect(await fixture.me(mine.accessToken).code == "invalid_token")
        #expect(await fixture.me(device.accessToken).code == "invalid_token")
        #expect(await fixture.refresh(mine.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
        #expect(await fixture.registerDevice().status == 201)
        let box = fixture.backend.mailbox
        #expect(try await box.list(workspace: "main").total == 0)
        #expect(try await box.list(workspace: "other").total == 1)
        #expect(await fixture.login(in: "other").status == 200)
        #expect(await fixture.register().status == 200)
        let left = try await fixture.database.read { connection in
            try connection.integer(
                """
                SELECT count(*) FROM sessions
                WHERE account NOT IN (SELECT id FROM accounts)
                """)
        }
        #expect(left == 0)
    }

    private func jwks(_ fixture: BackendFixture, of contract: String = "mystica") async -> String {
        let path =
            contract == "clarity"
            ? "www.googleapis.com/service_accounts/v1/jwk/"
                + "securetoken@system.gserviceaccount.com" : ".well-known/jwks.json"
        return await fixture.send(Request(method: .get, target: "/main/\(contract)/\(path)")).text
    }
}

extension BackendFixture {
    fileprivate func resetLinkOfSignedIn() async throws -> String {
        _ = await post("/auth/reset-password", ["email": .string(Self.email)])
        return try await link(to: Self.email, purpose: "reset")
    }
}
