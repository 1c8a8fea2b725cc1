import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Traffic
import Web
import Workspaces

@testable import Backend
@testable import Console
@testable import Simulator

/// Lease expiry, and the recovery after a crash or failure in it.
@Suite(.timeLimit(.minutes(10))) struct LeaseRecoveryTests {
    /// Leases a workspace with rows in every store.
    private func leaseWithRows(_ fixture: FoyerFixture) async throws -> String {
        let lease = await fixture.ask(
            .post, "/api/workspaces",
            json: ["ttl": 60, "seed": ["app": "mystica", "state": "signedIn"]])
        let id = try #require(lease.json["id"]?.string)
        await fixture.succeed(
            .post, "/api/faults", json: ["kind": "offline"],
            headers: [("X-Foyer-Workspace", id)])
        return id
    }

    private func referencedWorkspaces(_ fixture: FoyerFixture) async throws -> Set<String> {
        try await fixture.backend.referencedWorkspaceIDs().union(
            try await fixture.exchanges.workspaces()
        )
        .union(fixture.faults.workspaces()).union(fixture.hub.lastIDs().keys)
    }

    @Test func `rows of a deleted workspace are removed at the next start`() async throws {
        let data = try DataFolderCopies()
        let fixture = try await FoyerFixture(data: data.live)
        let deleted = try await leaseWithRows(fixture)
        let remaining = try await leaseWithRows(fixture)
        // The power failure happens right after the simulator deleted its rows.
        try await fixture.simulator.deleteWorkspace(deleted)
        try data.copyAsAfterPowerFailure()
        let after = try await FoyerFixture(data: data.crashCopy)
        #expect(try await referencedWorkspaces(after).contains(deleted))
        try await after.leases.recover()
        #expect(try await !referencedWorkspaces(after).contains(deleted))
        #expect(try await referencedWorkspaces(after).contains(remaining))
        #expect(try await after.backend.accountCount(workspace: deleted) == 0)
        #expect(try await after.backend.accountCount(workspace: remaining) == 1)
    }

    @Test func `a lease unknown to the backend is opened at the next start`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.simulator.makeWorkspace(label: "", lease: .seconds(60))
        #expect(!fixture.backend.workspaces.contains(lease.id))
        try await fixture.leases.recover()
        #expect(fixture.backend.workspaces.contains(lease.id))
    }

    @Test func `a lease that fails to end does not block others and is retried`() async throws {
        let fixture = try await FoyerFixture()
        let stuck = try await leaseWithRows(fixture)
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
        let others = [try await leaseWithRows(fixture), try await leaseWithRows(fixture)]
        let expiryTask = Task { await fixture.leases.runExpiry() }
        defer { expiryTask.cancel() }
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
                // The task sleeps again only after it has handled all leases.
                fixture.frozen.advance(by: 61)
                return (try? await fixture.simulator.workspace(stuck)) == nil
            })
    }
}
