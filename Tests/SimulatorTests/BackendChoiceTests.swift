import Support
import Testing
import Web

@testable import Simulator

/// Choosing backends, and custom base URLs.
@Suite(.timeLimit(.minutes(10))) struct BackendChoiceTests {
    @Test func `calls go to the chosen backend after a cold start`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        #expect(try await phone.now.baseURL == "http://127.0.0.1:7071/main/mystica/api/v1")
        try await fixture.simulator.chooseBackend(
            phone.instance, backend: "production", base: nil, settings: nil)
        let now = try await phone.now
        #expect(now.backend == "production")
        #expect(now.baseURL == "https://api.mystica.app/api/v1")
        #expect(now.isLaunching)
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401))
        _ = try await phone.login()
        #expect(phone.stub.requests.map(\.url) == ["https://api.mystica.app/api/v1/auth/login"])
    }

    @Test func `a custom base URL is stored until it is removed`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        let choose = { (base: String?) in
            try await fixture.simulator.chooseBackend(
                phone.instance, backend: "local", base: base, settings: [:])
            return try await phone.now.baseURL
        }
        #expect(
            try await choose("https://staging.example.com/v1/") == "https://staging.example.com/v1")
        #expect(try await choose(nil) == "https://staging.example.com/v1")
        #expect(try await choose("") == "http://localhost:3000/api/v1")
    }

    @Test(arguments: ["http://localhost:3000/api", "http://127.0.0.1:9", "https://api.example.org"])
    func `http on this machine and https elsewhere are accepted`(_ base: String) async throws {
        let phone = try await SimulatorFixture().phone()
        try await phone.simulator.chooseBackend(
            phone.instance, backend: "local", base: base, settings: nil)
        #expect(try await phone.now.baseURL == base)
    }

    @Test(arguments: [
        "http://example.com", "ftp://example.com", "example.com",
        "https://", "https://a b.org", "https://u:p@example.com",
        "https://example.com/?q=1", "https://example.com/#x",
        "https://example.com:99999", "https://example.com:x",
        "http://127.0.0.1:7070", "http://localhost:7071/x",
        "http://127.1:7070", "https://[::1]:7070/",
        "http://[::ffff:127.0.0.1]:7071",
        "http://192.0.2.1/api", "http://LOCALHOST.:7070", "http://0.0.0.0:7070", "https://[::1",
        "https://exa\u{00AD}mple.com", "https://example.com\r\nX: y",
    ])
    func `a URL that cannot be a backend is rejected`(_ base: String)
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        await refused(422, "invalid-base-url") {
            try await fixture.simulator.chooseBackend(
                phone.instance, backend: "local", base: base, settings: nil)
        }
        #expect(try await phone.now.backend == "embedded")
    }

    @Test func `unknown backends and settings are rejected`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        await refused(422, "bad-backend") {
            try await fixture.simulator.chooseBackend(
                phone.instance, backend: "moon", base: nil, settings: nil)
        }
        await refused(422, "bad-backend") {
            try await fixture.simulator.chooseBackend(
                phone.instance, backend: "local", base: nil, settings: ["apiKey": "x"])
        }
        await refused(422, "bad-backend") {
            try await fixture.simulator.chooseBackend(
                phone.instance, backend: "embedded", base: "https://example.com", settings: nil)
        }
    }
}
