import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BackendDispatcherTests {
    private func status(_ headers: Headers, allowedHosts: [String] = []) async throws -> Int {
        let fixture = try await BackendFixture(allowedHosts: allowedHosts)
        return await fixture.send(Request(method: .get, target: "/", headers: headers)).status
    }

    @Test(arguments: [
        "127.0.0.1:7071", "localhost:7071", "LOCALHOST", "[::1]:7071", "mystica.localhost:7071",
        "192.168.1.5:7071",
    ]) func `a Host of localhost or an IP address is accepted`(_ host: String) async throws {
        #expect(try await status(["Host": host]) == 200)
    }

    @Test(arguments: [
        "rebound.example:7071", "localhost.rebound.example", "127.0.0.1.rebound.example:7071",
        "xlocalhost", "",
    ]) func `any other Host is rejected, against DNS rebinding`(_ host: String) async throws {
        #expect(try await status(["Host": host]) == 421)
    }

    @Test func `two Host headers are rejected`() async throws {
        var headers: Headers = ["Host": "localhost"]
        headers.add("Host", "localhost")
        #expect(try await status(headers) == 421)
    }

    @Test func `a configured host name is accepted`() async throws {
        #expect(try await status(["Host": "Devbox.lan:7071"], allowedHosts: ["devbox.lan"]) == 200)
    }

    @Test(arguments: [
        ("main", "socoto", "url", "http://127.0.0.1:7071"),
        ("two", "socoto", "url", "http://127.0.0.1:7071/two/socoto"),
        ("main", "clarity", "emulatorHost", "127.0.0.1:7071"),
        ("two", "clarity", "emulatorHost", "127.0.0.1:7071/two/clarity"),
    ]) func `a client's settings have the address of its workspace`(
        workspace: String, contract: String, setting: String, address: String
    ) async throws {
        let backend = try await BackendFixture().backend
        #expect(backend.clientSetting(setting, of: contract, in: workspace) == address)
        let info = backend.contractInfos(in: workspace).first { $0.contractID == contract }
        #expect(info?.clientSettings.first { $0.name == setting }?.value == address)
    }

    @Test(arguments: [
        ("/main/socoto/auth/v1/settings", "error_code"), ("/main/socoto/rest/v1/x", "details"),
        ("/auth/v1/settings", "error_code"), ("/main/clarity/x", "error"),
    ]) func `a malformed query is rejected in the contract's error format`(
        _ path: String, _ errorMember: String
    ) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(Request(method: .get, target: path + "?a=%00"))
        #expect(reply.status == 400)
        #expect(reply.headers["Content-Type"]?.hasPrefix("application/json") == true)
        #expect(reply.json[errorMember] != nil)
    }
}
