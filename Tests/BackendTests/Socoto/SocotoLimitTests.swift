import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoLimitTests {
    private func knock(
        _ client: SocotoClient, _ path: String, from peer: String, isNew: Bool = true
    ) async -> Reply {
        var request = client.request(.post, "/auth/v1/\(path)", "{}", isNew: isNew)
        request.peer = peer
        return await client.house.send(request)
    }

    @Test(arguments: [("token?grant_type=password", 150), ("verify", 30)])
    func `an address knocks so often in five minutes`(_ path: String, _ count: Int) async throws {
        let client = SocotoClient(house: try await BackendFixture())
        for _ in 0..<count { #expect(await knock(client, path, from: "10.0.0.1").status == 400) }
        let new = await knock(client, path, from: "10.0.0.1")
        #expect(new.status == 429)
        #expect(
            new.text == #"{"code":"over_request_rate_limit","#
                + #""message":"Request rate limit reached"}"#)
        let old = await knock(client, path, from: "10.0.0.1", isNew: false)
        #expect(
            old.text == #"{"code":429,"# + #""error_code":"over_request_rate_limit","#
                + #""msg":"Request rate limit reached"}"#)
        #expect(await knock(client, path, from: "10.0.0.2").status == 400)
        client.house.frozen.advance(by: 300)
        #expect(await knock(client, path, from: "10.0.0.1").status == 400)
    }

    @Test func `links that are followed count with the codes`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        await client.signUp()
        let link = try await client.mail("verify").link
        for _ in 0..<30 { _ = await client.verify("signup", code: "wrong", "x@y.z") }
        #expect(await client.house.follow(link).status == 429)
        #expect(await client.house.follow(link, method: .head).status == 200)
        client.house.frozen.advance(by: 300)
        #expect(await client.house.follow(link).status == 303)
    }

    @Test func `guesses that wait for their hash are counted before`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<160 {
                group.addTask { await client.signIn(SocotoClient.email, "wrong").status }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 400 } == 150)
        #expect(statuses.count { $0 == 429 } == 10)
    }

    @Test func `asking for strangers' mail frees nobody of the limit`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        try await client.person()
        await client.recover()
        let now = Timestamp(client.house.frozen.now)
        let realm = Realm(workspace: "main", contract: "socoto")
        try await client.house.database.write { connection in
            for number in 0..<5_200 {
                try connection.record(
                    MailRequest(
                        realm: realm, email: "\(number)@example.com", purpose: "reset",
                        outcome: .unknown, requestedAt: now))
            }
        }
        #expect(await client.recover().status == 429)
        let kept = try await client.house.database.read { connection in
            try connection.integer("SELECT count(*) FROM mail_requests")
        }
        #expect((kept ?? 0) <= 5_100)
    }
}
