import FoundationEssentials
import SQLite
import Support
import Surroundings
import Testing
import Traffic
import Web

@testable import Backend
@testable import Console
@testable import Simulator

/// What ends a lease, and what a kill or a failure in it leaves.
@Suite(.timeLimit(.minutes(10))) struct RemainsTests {
    /// A leased workspace with everything in it that a room can keep.
    private func lively(_ house: WholeHouse) async throws -> String {
        let lease = await house.ask(
            .post, "/api/workspaces",
            json: ["ttl": 60, "seed": ["app": "mystica", "state": "signedIn"]])
        let id = try #require(lease.json["id"]?.string)
        await house.succeed(
            .post, "/api/conditions", json: ["kind": "offline"],
            headers: [("X-Foyer-Workspace", id)])
        return id
    }

    private func mentioned(_ house: WholeHouse) async throws -> Set<String> {
        try await house.backend.mentionedWorkspaces().union(try await house.exchanges.workspaces())
            .union(house.conditions.workspaces()).union(house.hub.workspaces().keys)
    }

    @Test func `rows of a workspace that is gone go at the next start`() async throws {
        let data = try DataCopies()
        let house = try await WholeHouse(data: data.live)
        let gone = try await lively(house)
        let kept = try await lively(house)
        // The power goes when the phones' row does.
        try await house.simulator.dropWorkspace(gone)
        try data.cut()
        let after = try await WholeHouse(data: data.left)
        #expect(try await mentioned(after).contains(gone))
        try await after.settleWorkspaces()
        #expect(try await !mentioned(after).contains(gone))
        #expect(try await mentioned(after).contains(kept))
        #expect(try await after.backend.accountCount(workspace: gone) == 0)
        #expect(try await after.backend.accountCount(workspace: kept) == 1)
    }

    @Test func `a lease the backend never heard of is opened at the start`() async throws {
        let house = try await WholeHouse()
        let lease = try await house.simulator.makeWorkspace(label: "", lease: .seconds(60))
        #expect(!house.backend.workspaces.contains(lease.id))
        try await house.settleWorkspaces()
        #expect(house.backend.workspaces.contains(lease.id))
    }

    @Test func `a lease that will not end keeps no other, and is tried again`() async throws {
        let house = try await WholeHouse()
        let stuck = try await lively(house)
        try await house.backend.premises.database.write { connection in
            try connection.run("CREATE TABLE stuck (id TEXT)")
            try connection.run("INSERT INTO stuck VALUES (?)", [.text(stuck)])
            try connection.run(
                """
                CREATE TRIGGER stuck_stays BEFORE DELETE ON workspaces
                WHEN old.id IN (SELECT id FROM stuck)
                BEGIN SELECT raise(ABORT, 'stuck'); END
                """)
        }
        let others = [try await lively(house), try await lively(house)]
        let keeper = Task { await house.site.keepLeases() }
        defer { keeper.cancel() }
        #expect(await eventually { house.frozen.wakes(in: 59...60) })
        house.frozen.advance(by: 61)
        for id in others {
            #expect(await eventually { (try? await house.simulator.workspace(id)) == nil })
        }
        #expect(try await house.simulator.workspace(stuck).id == stuck)
        try await house.backend.premises.database.write { connection in
            try connection.run("DROP TRIGGER stuck_stays")
        }
        #expect(
            await eventually {
                // It sleeps again only once it has seen to all of them.
                house.frozen.advance(by: 61)
                return (try? await house.simulator.workspace(stuck)) == nil
            })
    }
}
