import FoundationEssentials
import SQLite
import Support
import Surroundings
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallSecrecyTests {
    @Test func `a code cannot be found by trying all`() async throws {
        let one = try await BackendHouse()
        let other = try await BackendHouse()
        for house in [one, other] { await house.wall("/register") }
        // Two worlds alike give the same code; only the key differs.
        #expect(try await one.code() == other.code())
        #expect(try await digest(one) != digest(other))
    }

    @Test func `the database holds no code, password or token as it is`() async throws {
        let folder = try Folder()
        let house = try await BackendHouse(path: folder.database)
        let member = try await house.campusMember()
        let used = try await house.code()
        let login = await house.campusLogin("wallflower")
        await house.wall("/request-code")
        let waiting = try await house.code()
        await house.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.database))
        for secret in [used, waiting, "wallflower", member.token, login.camelAccess] {
            #expect(secret.utf8.count >= 6)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search itself finds what is there.
        #expect(bytes.firstRange(of: Data(BackendHouse.student.utf8)) != nil)
    }

    @Test func `nothing is logged, and events hold no code`() async throws {
        let house = try await BackendHouse()
        await house.wall("/register")
        let code = try await house.code()
        _ = await house.wallLogin("000000")
        #expect(await house.wallLogin(code).status == 200)
        let events = house.hub.events(in: "main")
        #expect(events.map(\.kind) == [.mail, .mailUsed])
        #expect(!events.contains { "\($0)".contains(code) })
        #expect(house.frozen.lines.isEmpty)
    }

    @Test func `sessions and codes outlive the process`() async throws {
        let folder = try Folder()
        let house = try await BackendHouse(path: folder.database)
        let member = try await house.campusMember()
        await house.wall("/request-code")
        let code = try await house.code()
        await house.database.close()

        let later = try await BackendHouse(path: folder.database, frozen: house.frozen)
        let changed = await later.send(
            member.call(
                "/password/change", #"{"oldPassword":"wallflower","newPassword":"snapdragon"}"#))
        #expect(changed.status == 200)
        #expect(await later.wallLogin(code).status == 200)
        await later.database.close()
    }

    private func digest(_ house: BackendHouse) async throws -> String? {
        try await house.database.read { connection in
            try connection.row("SELECT digest FROM challenges") { $0.text(0) }
        }
    }
}
