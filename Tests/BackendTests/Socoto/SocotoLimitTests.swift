import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoLimitTests {
    private func post(
        _ client: SocotoClient, _ path: String, from peer: String, isVersioned: Bool = true
    ) async -> Reply {
        var request = client.request(.post, "/auth/v1/\(path)", "{}", isVersioned: isVersioned)
        request.peer = peer
        return await client.fixture.send(request)
    }

    @Test(arguments: [("token?grant_type=password", 150), ("verify", 30)])
    func `requests from one address are limited per five minutes with a switch`(
        _ path: String, _ count: Int
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        for _ in 0...count { #expect(await post(client, path, from: "10.0.0.1").status == 400) }
        try await client.turnOnRequestLimits()
        for _ in 0..<count { #expect(await post(client, path, from: "10.0.0.1").status == 400) }
        let new = await post(client, path, from: "10.0.0.1")
        #expect(new.status == 429)
        #expect(
            new.text == #"{"code":"over_request_rate_limit","#
                + #""message":"Request rate limit reached"}"#)
        let old = await post(client, path, from: "10.0.0.1", isVersioned: false)
        #expect(
            old.text == #"{"code":429,"# + #""error_code":"over_request_rate_limit","#
                + #""msg":"Request rate limit reached"}"#)
        #expect(await post(client, path, from: "10.0.0.2").status == 400)
        client.fixture.frozen.advance(by: 300)
        #expect(await post(client, path, from: "10.0.0.1").status == 400)
    }

    @Test func `followed links count toward the limit of codes`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.turnOnRequestLimits()
        await client.signUp()
        let link = try await client.mail("verify").link
        for _ in 0..<30 { _ = await client.verify("signup", code: "wrong", "x@y.z") }
        #expect(await client.fixture.follow(link).status == 429)
        #expect(await client.fixture.follow(link, method: .head).status == 200)
        client.fixture.frozen.advance(by: 300)
        #expect(await client.fixture.follow(link).status == 303)
    }

    @Test func `concurrent guesses are counted before their hash is computed`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<160 {
                group.addTask { await client.signIn(SocotoClient.email, "wrong").status }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 400 } == 150)
        #expect(statuses.count { $0 == 429 } == 10)
    }

    @Test func `requests for other addresses do not lift an address's limit`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.createUser()
        await client.recover()
        let now = Timestamp(client.fixture.frozen.now)
        let realm = Realm(workspace: "main", contract: "socoto")
        try await client.fixture.database.write { connection in
            for number in 0..<5_200 {
                try connection.recordMailRequest(
                    to: "\(number)@example.com", for: "reset", .unknown, in: realm, at: now)
            }
        }
        #expect(await client.recover().status == 429)
        let storedCount = try await client.fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM mail_requests")
        }
        #expect((storedCount ?? 0) <= 5_100)
    }
}

extension SocotoClient {
    fileprivate func turnOnRequestLimits() async throws {
        #expect(
            try await fixture.backend.setSwitch(
                "requestLimits", isOn: true, of: "socoto", in: "main"))
    }
}
