import Core
import Crypto
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct PersistenceTests {
    @Test func `keys, accounts and sessions persist across a restart`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath)
        let reply = try await fixture.signInVerified()
        let keys = await jwks(fixture)
        await fixture.database.close()

        let restarted = try await BackendFixture(path: folder.databasePath, frozen: fixture.frozen)
        #expect(await jwks(restarted) == keys)
        #expect(await restarted.me(reply.accessToken).status == 200)
        #expect(await restarted.refresh(reply.refreshToken).status == 200)
        #expect(await restarted.login().status == 200)
        await restarted.database.close()
    }

    @Test func `a slow key is generated once and stored`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath, installsTestKey: false)
        let keySets = await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { await self.jwks(fixture, of: "clarity") } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(keySets.count == 1)
        let published = try #require(keySets.first)
        #expect(published.contains(#""kty":"RSA""#))
        await fixture.database.close()

        let restarted = try await BackendFixture(path: folder.databasePath, installsTestKey: false)
        #expect(await jwks(restarted, of: "clarity") == published)
        await restarted.database.close()
    }

    @Test func `a key that could not be stored is generated at the next request`() async throws {
        let folder = try TemporaryDirectory()
        let database = try Database(
            path: folder.databasePath, durability: .normal, migrations: EmbeddedBackend.migrations)
        try await database.write { connection in
            try connection.run(
                """
                CREATE TRIGGER full BEFORE INSERT ON signing_keys
                WHEN NEW.contract = 'clarity' AND NEW.role = 'access'
                BEGIN SELECT RAISE(ABORT, 'full'); END
                """, [])
        }
        await database.close()

        let fixture = try await BackendFixture(path: folder.databasePath, installsTestKey: false)
        #expect(await !jwks(fixture, of: "clarity").contains("RSA"))
        try await fixture.database.write { connection in try connection.run("DROP TRIGGER full", [])
        }
        #expect(await jwks(fixture, of: "clarity").contains(#""kty":"RSA""#))
    }

    @Test func `startup fails if the stored keys were sealed with another key`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath)
        await fixture.database.close()
        let error = await #expect(throws: CryptoError.self) {
            _ = try await BackendFixture(path: folder.databasePath, sealingByte: 8)
        }
        #expect(error?.kind == .wrongKey)
    }

    @Test func `the database stores no password, token or link in plain text`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath)
        let reply = try await fixture.signInVerified()
        let refreshed = await fixture.refresh(reply.refreshToken)
        let link = try await fixture.requestResetLink()
        await fixture.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.databasePath))
        let secrets = [
            BackendFixture.password, reply.accessToken, reply.refreshToken, refreshed.accessToken,
            refreshed.refreshToken, String(link.split(separator: "token=").last ?? ""), #""d":""#,
        ]
        for secret in secrets {
            #expect(!secret.isEmpty)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search finds a value that is stored in plain text.
        #expect(bytes.firstRange(of: Data(BackendFixture.email.utf8)) != nil)
    }

    @Test func `a reset clears one workspace and no other`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        try await fixture.registerVerified(in: "other")
        let session = try await fixture.signInVerified()
        let device = await fixture.registerDevice()
        try await fixture.backend.reset(workspace: "main")

        #expect(await fixture.me(session.accessToken).code == "invalid_token")
        #expect(await fixture.me(device.accessToken).code == "invalid_token")
        #expect(await fixture.refresh(session.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
        #expect(await fixture.registerDevice().status == 201)
        let mailbox = fixture.backend.mailbox
        #expect(try await mailbox.list(workspace: "main").total == 0)
        #expect(try await mailbox.list(workspace: "other").total == 1)
        #expect(await fixture.login(in: "other").status == 200)
        #expect(await fixture.register().status == 200)
        let orphanCount = try await fixture.database.read { connection in
            try connection.integer(
                """
                SELECT count(*) FROM sessions
                WHERE account NOT IN (SELECT id FROM accounts)
                """)
        }
        #expect(orphanCount == 0)
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
    fileprivate func requestResetLink() async throws -> String {
        _ = await post("/auth/reset-password", ["email": .string(Self.email)])
        return try await link(to: Self.email, purpose: "reset")
    }
}
