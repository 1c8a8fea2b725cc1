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

    @Test(arguments: [("token?grant_type=password", 2.0), ("verify", 10)])
    func `of one address's requests 30 come at once and more after an interval, with a switch`(
        _ path: String, _ interval: Double
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        for _ in 0...30 { #expect(await post(client, path, from: "10.0.0.1").status == 400) }
        try await client.turnOnRequestLimits()
        for _ in 0..<30 { #expect(await post(client, path, from: "10.0.0.1").status == 400) }
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
        client.fixture.frozen.advance(by: interval)
        #expect(await post(client, path, from: "10.0.0.1").status == 400)
        #expect(await post(client, path, from: "10.0.0.1").status == 429)
    }

    @Test func `a request for an unknown grant does not count`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.turnOnRequestLimits()
        for _ in 0..<31 {
            let reply = await post(client, "token?grant_type=sesame", from: "10.0.0.1")
            #expect(reply.json["message"] == "unsupported_grant_type")
        }
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
