import Core
import SQLite
import Support
import Synchronization
import Testing
import Web

@testable import Backend
@testable import Console
@testable import Simulator
@testable import Traffic

/// A GET shows: a reload, a way back and a prefetch change nothing.
@Suite(.timeLimit(.minutes(10))) struct GETRoutesTests {
    /// What shows by acting, and why it may.
    private static let acting = [
        "/apps/{app}": "starts the app on the browser's own phone",
        "/apps/{app}/{screen}": "opens a screen on it, as a person would",
        "/devices/{device}/apps/{app}": "the same on another phone",
        "/devices/{device}/apps/{app}/{screen}": "the same on another phone",
        "/storyboard/{app}/{screen}/{state}": "a state is played once, in a "
            + "workspace that is gone afterwards",
        "/storyboard/{app}/{screen}/{state}/frame": "the same",
        "/storyboard/{app}/export": "the same of every state",
        "/api/devices/{device}/apps/{app}/storage/{key}": "a secret shown "
            + "whole is noted on the timeline",
        "/studio/{app}/storage/{key}": "the same of one that is edited",
        "/traffic/{exchange}/curl": "the same of its tokens",
        "/traffic/{exchange}/text/whole": "the same",
        "/traffic/{exchange}/tokens/{token}": "the same",
        "/api/exchanges/{exchange}": "the same where they are asked for",
    ]

    @Test func `no GET but those that are listed writes, leases or sends`() async throws {
        let sent = Mutex(0)
        let fixture = try await FoyerFixture { _ in
            sent.withLock { $0 += 1 }
            return nil
        }
        let device = try await fixture.registered()
        let values = try await values(fixture, device)
        func state() async throws -> [String] {
            await fixture.exchanges.flush()
            await fixture.simulator.flush()
            await fixture.simulator.sessionChecks.waitUntilIdle(in: "main")
            let databases = [
                fixture.simulator.database, fixture.exchanges.database,
                fixture.backend.context.database.database,
            ]
            var rows: [String] = []
            for database in databases {
                let count = try await database.write { connection in
                    try connection.integer("SELECT total_changes()")
                }
                rows.append("\(count ?? 0) rows changed")
            }
            return rows + [
                "\(fixture.hub.lastID(in: "main")) events",
                "\(try await fixture.simulator.leasedWorkspaces().count) leases",
                "\(sent.withLock(\.self)) sent",
            ]
        }
        let patterns = fixture.site.routes.filter { $0.method == .get }.map(\.pattern)
        #expect(Set(Self.acting.keys).subtracting(patterns).isEmpty)
        for pattern in patterns where Self.acting[pattern] == nil {
            let target = Self.target(pattern, values)
            let before = try await state()
            let page = await fixture.page(target, device: device)
            let after = try await state()
            #expect(page.status < 500, "\(target)")
            #expect(before == after, "\(target) \(page.status)")
        }
    }

    private static let queries = [
        "/traffic/diff": "a={exchange}&b={exchange}",
        "/api/exchanges/diff": "a={exchange}&b={exchange}", "/sessions/{session}/compare": "from=0",
        "/api/mailbox/wait": "timeout=0",
    ]

    private static func target(_ pattern: String, _ values: [String: String]) -> String {
        let query = queries[pattern].map { "?" + $0 } ?? ""
        return values.reduce(pattern + query) { target, value in
            target.replacing("{\(value.key)}", with: value.value)
        }
    }

    /// What there is for every name in an address.
    private func values(_ fixture: FoyerFixture, _ device: String) async throws -> [String: String]
    {
        let own = [("X-Foyer-Device", device)]
        func first(_ path: String) async throws -> String {
            try #require(await fixture.ask(.get, path).json["items"]?[0]?["id"]?.string)
        }
        let snapshot = await fixture.ask(
            .post, "/api/snapshots", json: ["name": "one"], headers: own)
        let condition = await fixture.ask(
            .post, "/api/conditions", json: ["kind": "slow", "delay": 0.01])
        let lease = await fixture.ask(.post, "/api/workspaces")
        let conditionID = condition.json["items"]?[0]?["id"]?.string ?? condition.json["id"]?.string
        return [
            "app": "mystica", "screen": "login", "state": "default",
            "step": "login", "device": device, "key": "mystica_access_token",
            "session": try await fixture.session(),
            "exchange": try await fixture.exchange(),
            "mail": try await first("/api/mailbox"),
            "account": try await first("/api/accounts"), "act": "lock",
            "event": String(fixture.hub.lastID(in: "main")),
            "snapshot": try #require(snapshot.json["id"]?.string),
            "condition": try #require(conditionID),
            "workspace": try #require(lease.json["id"]?.string), "token": "0", "one": "screen.css",
            "two": "x", "three": "x",
        ]
    }
}
