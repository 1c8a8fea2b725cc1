import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallRedactionTests {
    @Test func `a code cannot be found by trying all`() async throws {
        let one = try await BackendFixture()
        let other = try await BackendFixture()
        for fixture in [one, other] { await fixture.wall("/register") }
        // Two worlds alike give the same code; only the key differs.
        #expect(try await one.code() == other.code())
        #expect(try await digest(one) != digest(other))
    }

    @Test func `the database holds no code, password or token as it is`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database)
        let member = try await fixture.campusMember()
        let used = try await fixture.code()
        let login = await fixture.campusLogin("wallflower")
        await fixture.wall("/request-code")
        let waiting = try await fixture.code()
        await fixture.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.database))
        for secret in [used, waiting, "wallflower", member.token, login.camelAccess] {
            #expect(secret.utf8.count >= 6)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search itself finds what is there.
        #expect(bytes.firstRange(of: Data(BackendFixture.student.utf8)) != nil)
    }

    @Test func `nothing is logged, and events hold no code`() async throws {
        let fixture = try await BackendFixture()
        await fixture.wall("/register")
        let code = try await fixture.code()
        _ = await fixture.wallLogin("000000")
        #expect(await fixture.wallLogin(code).status == 200)
        let events = fixture.hub.events(in: "main")
        #expect(events.map(\.kind) == [.mailReceived, .mailUsed])
        #expect(!events.contains { "\($0)".contains(code) })
        #expect(fixture.frozen.lines.isEmpty)
    }

    @Test func `sessions and codes outlive the process`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database)
        let member = try await fixture.campusMember()
        await fixture.wall("/request-code")
        let code = try await fixture.code()
        await fixture.database.close()

        let later = try await BackendFixture(path: folder.database, frozen: fixture.frozen)
        let changed = await later.send(
            member.call(
                "/password/change", #"{"oldPassword":"wallflower","newPassword":"snapdragon"}"#))
        #expect(changed.status == 200)
        #expect(await later.wallLogin(code).status == 200)
        await later.database.close()
    }

    private func digest(_ fixture: BackendFixture) async throws -> String? {
        try await fixture.database.read { connection in
            try connection.row("SELECT digest FROM challenges") { $0.text(0) }
        }
    }
}
