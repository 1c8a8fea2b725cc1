import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Simulator

/// Pages, filters, search and counts of sessions.
@Suite(.timeLimit(.minutes(10))) struct SessionListTests {
    @Test func `pages follow one another by sequence number, newest first`() async throws {
        let fixture = try await SimulatorFixture()
        try await signInUsers(7, in: fixture)
        var query = SessionQuery(workspace: "main")
        query.keyset.limit = 3
        let first = try await fixture.simulator.sessions(query)
        #expect(first.page.items.map(\.email) == ["p7@x.org", "p6@x.org", "p5@x.org"])
        #expect(first.page.total == 7)
        #expect(first.page.hasOlder && !first.page.hasNewer)
        query.keyset.before = first.page.last
        let second = try await fixture.simulator.sessions(query)
        #expect(second.page.items.map(\.email) == ["p4@x.org", "p3@x.org", "p2@x.org"])
        #expect(second.page.hasOlder && second.page.hasNewer)
        query.keyset.before = second.page.last
        let last = try await fixture.simulator.sessions(query)
        #expect(last.page.items.count == 1)
        #expect(!last.page.hasOlder)
        query.keyset.before = nil
        query.keyset.after = last.page.first
        let newer = try await fixture.simulator.sessions(query)
        #expect(newer.page.items.map(\.email) == second.page.items.map(\.email))
        #expect(newer.page.hasNewer)
    }

    @Test func `a session's state depends on the clock and on how it ended`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(4, in: fixture)
        try await fixture.simulator.clearStorage(phones[0].instance)
        phones[1].stub.script("GET /auth/me", Wire.error(401))
        phones[1].stub.script("POST /auth/refresh", Wire.error(401))
        _ = try await phones[1].open("map")
        try await fixture.simulator.replaceAccessToken(
            phones[2].instance, with: Wire.token(9, expires: -5), reason: "Expired manually")
        var query = SessionQuery(workspace: "main")
        let list = try await fixture.simulator.sessions(query)
        #expect(list.page.items.map(\.state) == [.active, .expired, .revoked, .signedOut])
        #expect(list.workspaceTotals == [.active: 1, .expired: 1, .revoked: 1, .signedOut: 1])
        for state in Session.State.allCases {
            query.state = state
            let list = try await fixture.simulator.sessions(query)
            #expect(list.page.items.map(\.state) == [state])
            #expect(list.page.total == 1)
        }
        fixture.frozen.advance(by: 4_000)
        query.state = .expired
        #expect(try await fixture.simulator.sessions(query).page.total == 2)
        #expect(try await phones[3].now.session?.state == .expired)
    }

    @Test func `the sessions that match the filters are counted per state`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(4, in: fixture)
        try await fixture.simulator.clearStorage(phones[0].instance)
        try await fixture.simulator.replaceAccessToken(
            phones[2].instance, with: Wire.token(9, expires: -5, email: "p3@x.org"),
            reason: "Expired manually")
        var query = SessionQuery(workspace: "main")
        query.text = "x.org"
        query.state = .signedOut
        var list = try await fixture.simulator.sessions(query)
        #expect(list.filteredTotals == [.active: 2, .expired: 1, .signedOut: 1])
        #expect(list.page.total == 1 && list.page.totalIsExact)
        query.text = nil
        query.device = phones[3].instance.device
        list = try await fixture.simulator.sessions(query)
        #expect(list.filteredTotals == [.active: 1])
        #expect(list.page.total == 0 && list.page.items.isEmpty)
    }

    @Test func `a state filter applies together with a search`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(4, in: fixture)
        try await fixture.simulator.clearStorage(phones[0].instance)
        for index in 1...2 {
            try await fixture.simulator.replaceAccessToken(
                phones[index].instance,
                with: Wire.token(9, expires: -5, email: "p\(index + 1)@x.org"),
                reason: "Expired manually")
        }
        var query = SessionQuery(workspace: "main")
        let found = { (text: String?, state: Session.State) in
            query.text = text
            query.state = state
            return try await fixture.simulator.sessions(query).page.items.map(\.email)
        }
        #expect(try await found("x.org", .expired) == ["p3@x.org", "p2@x.org"])
        #expect(try await found("p2", .expired) == ["p2@x.org"])
        #expect(try await found("p2", .active) == [])
        #expect(try await found("x.org", .active) == ["p4@x.org"])
        #expect(try await found("x.org", .signedOut) == ["p1@x.org"])
        #expect(try await found(nil, .expired) == ["p3@x.org", "p2@x.org"])
    }

    @Test func `expired sessions are counted however many are active`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(2, in: fixture)
        try await fixture.simulator.database.write { connection in
            let columns: StaticSQL = """
                workspace, app, device, backend, ended, expires_at, created_at, refresh_count, \
                generation, label
                """
            try connection.run(
                """
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers \
                WHERE n < 3000) INSERT INTO sessions (id, \(columns)) \
                SELECT 'copy' || n, \(columns) FROM numbers, \
                (SELECT \(columns) FROM sessions ORDER BY sequence LIMIT 1)
                """)
        }
        try await fixture.simulator.replaceAccessToken(
            phones[1].instance, with: Wire.token(9, expires: -5), reason: "Expired manually")
        let query = SessionQuery(workspace: "main")
        let list = try await fixture.simulator.sessions(query)
        #expect(list.workspaceTotals[.active] == 3_001 && list.workspaceTotals[.expired] == 1)
        fixture.frozen.advance(by: 4_000)
        let later = try await fixture.simulator.sessions(query)
        #expect(later.workspaceTotals[.active] == 0 && later.workspaceTotals[.expired] == 3_002)
    }

    @Test func `a state filter finds older sessions beyond the count limit`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(5, in: fixture)
        try await fixture.simulator.clearStorage(phones[0].instance)
        var query = SessionQuery(workspace: "main")
        query.app = "mystica"
        query.state = .signedOut
        let now = fixture.frozen.world.now()
        let page = try await fixture.simulator.database.readThrowingProblems { [query] connection in
            try SessionList.page(query, now: now, countLimit: 3, connection).page
        }
        #expect(page.items.count == 1 && page.total == 1)
        #expect(!page.totalIsExact)
    }

    @Test func `a workspace's count includes ended sessions and no other workspace's`() async throws
    {
        let fixture = try await SimulatorFixture()
        #expect(try await fixture.simulator.sessionCount(in: "main") == 0)
        let phones = try await signInUsers(3, in: fixture)
        try await fixture.simulator.clearStorage(phones[0].instance)
        #expect(try await fixture.simulator.sessionCount(in: "main") == 3)
        #expect(try await fixture.simulator.sessionCount(in: "other") == 0)
    }

    @Test func `a search finds words in the email, device and claims`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(3, in: fixture)
        _ = try await fixture.simulator.updateDevice(phones[1].instance.device, in: "main") {
            $0.label = "Anna's telephone"
        }
        let found = { (text: String) in
            var query = SessionQuery(workspace: "main")
            query.text = text
            let list = try await fixture.simulator.sessions(query)
            #expect(list.page.total == list.page.items.count)
            return list.page.items.map(\.email)
        }
        #expect(try await found("p3") == ["p3@x.org"])
        #expect(try await found("telep") == ["p2@x.org"])
        #expect(try await found("usr-1 p1@x") == ["p1@x.org"])
        #expect(try await found("\"') NOT -- * NEAR(") == [])
        #expect(try await found("HS256") == [])
        #expect(try await found("x.org").count == 3)
    }

    @Test func `a session matches every prefix of its email address`() async throws {
        let fixture = try await SimulatorFixture()
        try await signInUsers(2, in: fixture)
        let address = "jane.doe-42xyz@corp.example.org"
        _ = try await fixture.phone().signedIn(Wire.token(9, email: address))
        for length in 1...address.count {
            var query = SessionQuery(workspace: "main")
            query.text = String(address.prefix(length))
            let found = try await fixture.simulator.sessions(query)
            #expect(found.page.items.map(\.email).contains(address), "\(query.text ?? "")")
        }
    }

    @Test func `a search respects the filters of the list`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(3, in: fixture)
        try await fixture.simulator.clearStorage(phones[1].instance)
        try await fixture.simulator.replaceAccessToken(
            phones[2].instance, with: Wire.token(9, expires: -5, email: "p3@x.org"),
            reason: "Expired manually")
        var query = SessionQuery(workspace: "main")
        query.text = "x.org"
        let found = { (query: SessionQuery) in
            let list = try await fixture.simulator.sessions(query)
            #expect(list.page.total == list.page.items.count)
            return list.page.items.map(\.email)
        }
        query.state = .active
        #expect(try await found(query) == ["p1@x.org"])
        query.state = .signedOut
        #expect(try await found(query) == ["p2@x.org"])
        query.state = .expired
        #expect(try await found(query) == ["p3@x.org"])
        query.state = nil
        query.app = "mystica"
        query.device = phones[0].instance.device
        query.backend = "embedded"
        #expect(try await found(query) == ["p1@x.org"])
        query.backend = "local"
        #expect(try await found(query) == [])
        // The index terms of filters cannot be searched for.
        query = SessionQuery(workspace: "main")
        query.text = "w6D61696E"
        #expect(try await found(query) == [])
    }

    @Test func `filters narrow the list and its total`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(3, in: fixture)
        let instant = Phone(
            fixture: fixture,
            instance: AppInstance(
                workspace: "main", device: phones[0].instance.device, app: "mystica-instant"))
        instant.stub.script("POST /auth/register-device", InstantPlayTests.registered)
        _ = try await instant.launch()
        var query = SessionQuery(workspace: "main")
        query.app = "mystica-instant"
        #expect(try await fixture.simulator.sessions(query).page.total == 1)
        query.app = nil
        query.device = phones[0].instance.device
        let list = try await fixture.simulator.sessions(query)
        #expect(list.page.items.map(\.app) == ["mystica-instant", "mystica"])
        query.device = nil
        query.backend = "production"
        #expect(try await fixture.simulator.sessions(query).page.total == 0)
        query.workspace = "elsewhere"
        query.backend = nil
        #expect(try await fixture.simulator.sessions(query).page.items.isEmpty)
    }

    @Test func `a manual refresh succeeds or reports the reason`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try #require(try await phone.now.session?.id)
        phone.stub.script(
            "POST /auth/refresh", .failure(.connection), Wire.refreshed(Wire.token(2), "refresh-2"),
            Wire.error(401))
        await refused(502, "refresh-failed") {
            try await fixture.simulator.refresh(session: id, in: "main")
        }
        let refreshed = try await fixture.simulator.refresh(session: id, in: "main")
        #expect(refreshed.refreshCount == 1)
        #expect(refreshed.state == .active)
        let ended = try await fixture.simulator.refresh(session: id, in: "main")
        #expect(ended.state == .revoked)
        await refused(409, "session-ended") {
            try await fixture.simulator.refresh(session: id, in: "main")
        }
        await refused(404, "unknown-session") {
            try await fixture.simulator.refresh(session: "ses_x", in: "main")
        }
    }

    @Test func `the access tokens of many sessions are read at once`() async throws {
        let fixture = try await SimulatorFixture()
        let phones = try await signInUsers(3, in: fixture)
        try await fixture.simulator.clearStorage(phones[2].instance)
        let sessions = try await fixture.allSessions()
        let tokens = try await fixture.simulator.accessTokens(of: sessions)
        #expect(tokens.count == 2)
        let first = try #require(sessions.last)
        #expect(tokens[first.id] == Wire.token(1, email: "p1@x.org"))
    }

    @Test func `a stored session contains only masked tokens`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await fixture.phone().signedIn()
        let rows = try await fixture.database.read { connection in
            try connection.rows(
                """
                SELECT access || refresh || claims FROM sessions \
                UNION ALL SELECT value FROM items \
                UNION ALL SELECT title FROM session_moments
                """
            ) { $0.text(0) }
        }
        #expect(rows.count == 5)
        for row in rows {
            #expect(!row.contains(Wire.token(1)))
            #expect(!row.contains("refresh-token-1"))
            #expect(!row.contains("sparrow-9!"))
        }
    }

    /// Signs in `count` users, each on its own device: `p1@x.org` …
    @discardableResult private func signInUsers(_ count: Int, in fixture: SimulatorFixture)
        async throws
        -> [Phone]
    {
        var phones: [Phone] = []
        for number in 1...count {
            let token = Wire.token(number, email: "p\(number)@x.org")
            phones.append(try await fixture.phone().signedIn(token))
        }
        return phones
    }
}
