import FoundationEssentials
import SQLite
import Secrets
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct KeepingTests {
    @Test func `keys, accounts and sessions outlive the process`() async throws {
        let folder = try Folder()
        let house = try await BackendHouse(path: folder.database)
        let reply = try await house.signedIn()
        let keys = await jwks(house)
        await house.database.close()

        let later = try await BackendHouse(path: folder.database, frozen: house.frozen)
        #expect(await jwks(later) == keys)
        #expect(await later.me(reply.accessToken).status == 200)
        #expect(await later.refresh(reply.refreshToken).status == 200)
        #expect(await later.login().status == 200)
        await later.database.close()
    }

    @Test func `a key that takes long is made once, and kept`() async throws {
        let folder = try Folder()
        let house = try await BackendHouse(path: folder.database, lendsKey: false)
        let texts = await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { await self.jwks(house, of: "clarity") } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
        let made = try #require(texts.first)
        #expect(made.contains(#""kty":"RSA""#))
        await house.database.close()

        let later = try await BackendHouse(path: folder.database, lendsKey: false)
        #expect(await jwks(later, of: "clarity") == made)
        await later.database.close()
    }

    @Test func `a key that could not be kept is made when next asked for`() async throws {
        let folder = try Folder()
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

        let house = try await BackendHouse(path: folder.database, lendsKey: false)
        #expect(await !jwks(house, of: "clarity").contains("RSA"))
        try await house.database.write { connection in try connection.run("DROP TRIGGER full", []) }
        #expect(await jwks(house, of: "clarity").contains(#""kty":"RSA""#))
    }

    @Test func `keys sealed with another key are refused at the start`() async throws {
        let folder = try Folder()
        let house = try await BackendHouse(path: folder.database)
        await house.database.close()
        let error = await #expect(throws: SecretsError.self) {
            _ = try await BackendHouse(path: folder.database, sealingByte: 8)
        }
        #expect(error?.kind == .wrongKey)
    }

    @Test func `the database holds no password, token or link as it is`() async throws {
        let folder = try Folder()
        let house = try await BackendHouse(path: folder.database)
        let reply = try await house.signedIn()
        let refreshed = await house.refresh(reply.refreshToken)
        let link = try await house.resetLinkOfSignedIn()
        await house.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.database))
        let secrets = [
            BackendHouse.password, reply.accessToken, reply.refreshToken, refreshed.accessToken,
            refreshed.refreshToken, String(link.split(separator: "token=").last ?? ""), #""d":""#,
        ]
        for secret in secrets {
            #expect(!secret.isEmpty)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search itself finds what is there.
        #expect(bytes.firstRange(of: Data(BackendHouse.email.utf8)) != nil)
    }

    @Test func `a reset empties one workspace and no other`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        try await house.verified(in: "other")
        let mine = try await house.signedIn()
        let device = await house.registerDevice()
        try await house.backend.reset(workspace: "main")

        #expect(await house.me(mine.accessToken).code == "invalid_token")
        #expect(await house.me(device.accessToken).code == "invalid_token")
        #expect(await house.refresh(mine.refreshToken).status == 401)
        #expect(await house.login().code == "INVALID_CREDENTIALS")
        #expect(await house.registerDevice().status == 201)
        let box = house.backend.mailbox
        #expect(try await box.list(workspace: "main").total == 0)
        #expect(try await box.list(workspace: "other").total == 1)
        #expect(await house.login(in: "other").status == 200)
        #expect(await house.register().status == 200)
        let left = try await house.database.read { connection in
            try connection.integer(
                """
                SELECT count(*) FROM sessions
                WHERE account NOT IN (SELECT id FROM accounts)
                """)
        }
        #expect(left == 0)
    }

    private func jwks(_ house: BackendHouse, of contract: String = "mystica") async -> String {
        let path =
            contract == "clarity"
            ? "www.googleapis.com/service_accounts/v1/jwk/"
                + "securetoken@system.gserviceaccount.com" : ".well-known/jwks.json"
        return await house.send(Request(method: .get, target: "/main/\(contract)/\(path)")).text
    }
}

extension BackendHouse {
    fileprivate func resetLinkOfSignedIn() async throws -> String {
        _ = await post("/auth/reset-password", ["email": .string(Self.email)])
        return try await link(to: Self.email, purpose: "reset")
    }
}
