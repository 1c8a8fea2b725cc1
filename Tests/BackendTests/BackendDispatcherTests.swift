import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BackendDispatcherTests {
    private func status(_ headers: Headers, hosts: [String] = []) async throws -> Int {
        let fixture = try await BackendFixture(hosts: hosts)
        return await fixture.send(Request(method: .get, target: "/", headers: headers)).status
    }

    @Test(arguments: [
        "127.0.0.1:7071", "localhost:7071", "LOCALHOST", "[::1]:7071", "mystica.localhost:7071",
        "192.168.1.5:7071",
    ]) func `this machine's names and addresses in digits are let in`(_ host: String) async throws {
        #expect(try await status(["Host": host]) == 200)
    }

    @Test(arguments: [
        "rebound.example:7071", "localhost.rebound.example", "127.0.0.1.rebound.example:7071",
        "xlocalhost", "",
    ]) func `a name made to lead here is refused`(_ host: String) async throws {
        #expect(try await status(["Host": host]) == 421)
    }

    @Test func `two names are refused`() async throws {
        var headers: Headers = ["Host": "localhost"]
        headers.add("Host", "localhost")
        #expect(try await status(headers) == 421)
    }

    @Test func `a name given on purpose is let in`() async throws {
        #expect(try await status(["Host": "Devbox.lan:7071"], hosts: ["devbox.lan"]) == 200)
    }

    @Test(arguments: [
        ("/main/socoto/auth/v1/settings", "error_code"), ("/main/socoto/rest/v1/x", "details"),
        ("/auth/v1/settings", "error_code"), ("/main/clarity/x", "error"),
    ]) func `a query that cannot be read is refused in the contract's words`(
        _ path: String, _ word: String
    ) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(Request(method: .get, target: path + "?a=%00"))
        #expect(reply.status == 400)
        #expect(reply.headers["Content-Type"]?.hasPrefix("application/json") == true)
        #expect(reply.json[word] != nil)
    }
}
