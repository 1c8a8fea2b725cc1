import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallRedactionTests {
    @Test func `a code's digest is keyed, against brute force`() async throws {
        let first = try await BackendFixture()
        let second = try await BackendFixture()
        for fixture in [first, second] { await fixture.postWall("/register") }
        // Two equal frozen worlds generate the same code; only the key differs.
        #expect(try await first.wallCode() == second.wallCode())
        #expect(try await digest(first) != digest(second))
    }

    @Test func `the database stores no code, password or token in plain text`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath)
        let member = try await fixture.registerMicronautMember()
        let usedCode = try await fixture.wallCode()
        let login = await fixture.micronautLogin("wallflower")
        await fixture.postWall("/request-code")
        let unusedCode = try await fixture.wallCode()
        await fixture.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.databasePath))
        for secret in [
            usedCode, unusedCode, "wallflower", member.token, login.camelCaseAccessToken,
            login.json["refreshToken"]?.string ?? "",
        ] {
            #expect(secret.utf8.count >= 6)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search finds a value that is stored in plain text.
        #expect(bytes.firstRange(of: Data(BackendFixture.studentEmail.utf8)) != nil)
    }

    @Test func `nothing is logged, and events contain no code`() async throws {
        let fixture = try await BackendFixture()
        await fixture.postWall("/register")
        let code = try await fixture.wallCode()
        _ = await fixture.wallLogin("000000")
        #expect(await fixture.wallLogin(code).status == 200)
        let events = fixture.hub.events(in: "main")
        #expect(events.map(\.kind) == [.mailReceived, .mailUsed])
        #expect(!events.contains { "\($0)".contains(code) })
        #expect(fixture.frozen.lines.isEmpty)
    }

    @Test func `sessions and codes persist across a restart`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath)
        let member = try await fixture.registerMicronautMember()
        await fixture.postWall("/request-code")
        let code = try await fixture.wallCode()
        await fixture.database.close()

        let restarted = try await BackendFixture(path: folder.databasePath, frozen: fixture.frozen)
        let changed = await restarted.send(
            member.request(
                "/password/change", #"{"oldPassword":"wallflower","newPassword":"snapdragon"}"#))
        #expect(changed.status == 200)
        #expect(await restarted.wallLogin(code).status == 200)
        await restarted.database.close()
    }

    private func digest(_ fixture: BackendFixture) async throws -> String? {
        try await fixture.database.read { connection in
            try connection.row("SELECT digest FROM challenges") { $0.text(0) }
        }
    }
}
