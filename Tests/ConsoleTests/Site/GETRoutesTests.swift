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

/// GET requests are safe: a reload, the back button and a prefetch change nothing.
@Suite(.timeLimit(.minutes(10))) struct GETRoutesTests {
    /// The GET routes with side effects, and why they have them.
    private static let exceptions = [
        "/apps/{app}": "starts the app on the browser's own device",
        "/apps/{app}/{screen}": "opens a screen on it, as a user would",
        "/devices/{device}/apps/{app}": "the same on another device",
        "/devices/{device}/apps/{app}/{screen}": "the same on another device",
        "/storyboard/{app}/{screen}/{state}": "a state is rendered once, in a "
            + "workspace that is deleted afterwards",
        "/storyboard/{app}/{screen}/{state}/frame": "the same",
        "/storyboard/{app}/export": "the same for every state",
        "/storyboard/{app}/{screen}/{state}/picture": "the same",
        "/storyboard/{app}/export.pdf":
            "the same for every state",
        "/api/apps/{app}/states/{screen}/{state}": "the same for one state",
        "/api/apps/{app}/states/{screen}/{state}/picture": "the same",
        "/api/apps/{app}/storyboard.pdf": "the same for every state",
        "/api/apps/{app}/accessibility": "the same for every state",
        "/api/devices/{device}/apps/{app}/storage/{key}": "an unmasked "
            + "secret is recorded on the timeline",
        "/studio/{app}/storage/{key}": "the same for one that is edited",
        "/traffic/{exchange}/curl": "the same for its tokens",
        "/traffic/{exchange}/fetch": "the same",
        "/traffic/{exchange}/urlsession": "the same", "/traffic/{exchange}/requests": "the same",
        "/traffic/{exchange}/httpie": "the same",
        "/traffic/{exchange}/text/unmasked": "the same",
        "/traffic/{exchange}/tokens/{token}": "the same",
        "/api/exchanges/{exchange}": "the same if they are requested",
    ]

    @Test func `no GET route outside the list writes rows, leases or sends calls`() async throws {
        let sent = Mutex(0)
        let pictures = TestFolder()
        let fixture = try await FoyerFixture(pictures: pictures.path) { _ in
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
        #expect(Set(Self.exceptions.keys).subtracting(patterns).isEmpty)
        for pattern in patterns where Self.exceptions[pattern] == nil {
            let target = Self.target(pattern, values)
            let before = try await state()
            let page = await fixture.page(target, device: device)
            let after = try await state()
            // 504: a wait in vain.
            #expect(page.status < 500 || page.status == 504, "\(target)")
            #expect(before == after, "\(target) \(page.status)")
        }
    }

    private static let queries = [
        "/traffic/diff": "a={exchange}&b={exchange}",
        "/api/exchanges/diff": "a={exchange}&b={exchange}", "/sessions/{session}/compare": "from=0",
        "/api/mailbox/wait": "timeout=0", "/api/exchanges/wait": "timeout=0",
        "/api/events/wait": "timeout=0", "/api/sessions/{session}/wait": "timeout=0",
        "/api/intercepted/wait": "timeout=0", "/api/sessions/{session}/compare": "from=1",
    ]

    private static func target(_ pattern: String, _ values: [String: String]) -> String {
        let query = queries[pattern].map { "?" + $0 } ?? ""
        return values.reduce(pattern + query) { target, value in
            target.replacing("{\(value.key)}", with: value.value)
        }
    }

    /// A value for every path parameter.
    private func values(_ fixture: FoyerFixture, _ device: String) async throws -> [String: String]
    {
        let header = [("X-Foyer-Device", device)]
        func first(_ path: String) async throws -> String {
            try #require(await fixture.ask(.get, path).json["items"]?[0]?["id"]?.string)
        }
        let snapshot = await fixture.ask(
            .post, "/api/snapshots", json: ["name": "one"], headers: header)
        let fault = await fixture.ask(
            .post, "/api/faults", json: ["kind": "slow", "delay": 0.01])
        let lease = await fixture.ask(.post, "/api/workspaces")
        let faultID = fault.json["items"]?[0]?["id"]?.string ?? fault.json["id"]?.string
        return [
            "app": "mystica", "screen": "login", "state": "default",
            "step": "login", "device": device, "key": "mystica_access_token",
            "session": try await fixture.session(),
            "exchange": try await fixture.exchange(),
            "mail": try await first("/api/mailbox"),
            "account": try await first("/api/accounts"), "act": "lock",
            "event": String(fixture.hub.lastID(in: "main")),
            "snapshot": try #require(snapshot.json["id"]?.string),
            "fault": try #require(faultID),
            "workspace": try #require(lease.json["id"]?.string), "token": "0", "one": "screen.css",
            "two": "x", "three": "x",
        ]
    }
}
