import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Traffic
import Web

@testable import Backend
@testable import Console
@testable import Simulator

/// What ends a lease, and what a kill or a failure in it leaves.
@Suite(.timeLimit(.minutes(10))) struct StartupRecoveryTests {
    /// A leased workspace with everything in it that a room can keep.
    private func lively(_ fixture: FoyerFixture) async throws -> String {
        let lease = await fixture.ask(
            .post, "/api/workspaces",
            json: ["ttl": 60, "seed": ["app": "mystica", "state": "signedIn"]])
        let id = try #require(lease.json["id"]?.string)
        await fixture.succeed(
            .post, "/api/conditions", json: ["kind": "offline"],
            headers: [("X-Foyer-Workspace", id)])
        return id
    }

    private func mentioned(_ fixture: FoyerFixture) async throws -> Set<String> {
        try await fixture.backend.referencedWorkspaceIDs().union(
            try await fixture.exchanges.workspaces()
        )
        .union(fixture.conditions.workspaces()).union(fixture.hub.lastIDs().keys)
    }

    @Test func `rows of a workspace that is gone go at the next start`() async throws {
        let data = try DataFolderCopies()
        let fixture = try await FoyerFixture(data: data.live)
        let gone = try await lively(fixture)
        let kept = try await lively(fixture)
        // The power goes when the phones' row does.
        try await fixture.simulator.deleteWorkspace(gone)
        try data.cut()
        let after = try await FoyerFixture(data: data.left)
        #expect(try await mentioned(after).contains(gone))
        try await after.settleWorkspaces()
        #expect(try await !mentioned(after).contains(gone))
        #expect(try await mentioned(after).contains(kept))
        #expect(try await after.backend.accountCount(workspace: gone) == 0)
        #expect(try await after.backend.accountCount(workspace: kept) == 1)
    }

    @Test func `a lease the backend never heard of is opened at the start`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.simulator.makeWorkspace(label: "", lease: .seconds(60))
        #expect(!fixture.backend.workspaces.contains(lease.id))
        try await fixture.settleWorkspaces()
        #expect(fixture.backend.workspaces.contains(lease.id))
    }

    @Test func `a lease that will not end keeps no other, and is tried again`() async throws {
        let fixture = try await FoyerFixture()
        let stuck = try await lively(fixture)
        try await fixture.backend.context.database.write { connection in
            try connection.run("CREATE TABLE stuck (id TEXT)")
            try connection.run("INSERT INTO stuck VALUES (?)", [.text(stuck)])
            try connection.run(
                """
                CREATE TRIGGER stuck_stays BEFORE DELETE ON workspaces
                WHEN old.id IN (SELECT id FROM stuck)
                BEGIN SELECT raise(ABORT, 'stuck'); END
                """)
        }
        let others = [try await lively(fixture), try await lively(fixture)]
        let keeper = Task { await fixture.site.runLeaseExpiry() }
        defer { keeper.cancel() }
        #expect(await eventually { fixture.frozen.wakes(in: 59...60) })
        fixture.frozen.advance(by: 61)
        for id in others {
            #expect(await eventually { (try? await fixture.simulator.workspace(id)) == nil })
        }
        #expect(try await fixture.simulator.workspace(stuck).id == stuck)
        try await fixture.backend.context.database.write { connection in
            try connection.run("DROP TRIGGER stuck_stays")
        }
        #expect(
            await eventually {
                // It sleeps again only once it has seen to all of them.
                fixture.frozen.advance(by: 61)
                return (try? await fixture.simulator.workspace(stuck)) == nil
            })
    }
}
