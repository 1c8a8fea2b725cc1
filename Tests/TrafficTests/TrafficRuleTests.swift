import Core
import Support
import Testing
import Web

@testable import Traffic

/// Which requests a rule matches, what it responds, and how edited messages regain their secrets.
@Suite(.timeLimit(.minutes(10))) struct TrafficRuleTests {
    private static func matches(_ match: TrafficRule.Match, _ method: Method = .post) -> Bool {
        var context = FaultFixture.context()
        context.baseURL = "https://api.example.com:8443/v1/"
        return match.matches(
            OutboundRequest(
                method: method, url: "https://api.example.com:8443/v1/auth/login?from=app"),
            context)
    }

    @Test(arguments: [
        TrafficRule.Match(), .init(method: "POST"), .init(host: "api.example.com"),
        .init(host: "*.Example.com"), .init(host: "api.example.com:8443"),
        .init(path: "/auth/login"), .init(path: "/auth/*"), .init(path: "/v1/auth/login"),
        .init(path: "*login"), .init(path: "/auth/login?from=*"), .init(path: "/*/log*"),
        .init(method: "POST", path: "/auth/*", app: "mystica", device: "dev_1", call: "login"),
    ])
    func `a rule matches a request that meets all its conditions`(match: TrafficRule.Match) {
        #expect(Self.matches(match))
    }

    @Test(arguments: [
        TrafficRule.Match(method: "GET"), .init(host: "example.com"),
        .init(host: "api.example.com:443"), .init(path: "/auth"), .init(path: "/login"),
        .init(path: "/auth/login?to=*"), .init(path: "/AUTH/*"), .init(app: "bob"),
        .init(device: "dev_2"), .init(call: "me"), .init(method: "GET", path: "/auth/*"),
    ])
    func `a rule does not match a request that fails one of its conditions`(
        match: TrafficRule.Match
    ) { #expect(!Self.matches(match)) }

    @Test func `wildcards match in time proportional to the text`() {
        let text = String(repeating: "a", count: 5_000)
        #expect(!Wildcard.matches(String(repeating: "a*", count: 40) + "b", text))
        #expect(Wildcard.matches("*", "") && !Wildcard.matches("", "a"))
    }

    @Test func `a mapped response declares the length of its body`() {
        let mapped = MappedResponse(
            status: 201, headers: ["Content-Type": "text/plain"], body: Array("héllo".utf8))
        let response = mapped.upstreamResponse(rule: "rul_1")
        #expect(response.headers["Content-Length"] == "6")
        #expect(response.headers["X-Foyer-Rule"] == "rul_1")
        #expect(response.status == 201 && response.body == mapped.body)
    }

    @Test func `an invalid rule names each wrong field`() {
        let draft = TrafficRule.Draft(
            .respond, .init(method: "post", host: "a b", path: "auth"), timeout: 301,
            response: .init(
                status: 99, headers: ["Content-Length": "1", "a b": ""],
                body: Array(repeating: 65, count: MappedResponse.bodyLimit + 1)))
        #expect(
            draft.fieldErrors.map(\.pointer) == [
                "/method", "/host", "/path", "/timeout", "/response/status", "/response/body",
                "/response/headers/0", "/response/headers/1",
            ])
    }

    // MARK: Masked messages

    private static let token = TestTokens.access

    private static func message(_ body: String, passwords: [String] = []) -> MaskedMessage {
        MaskedMessage(
            ["Authorization": "Bearer \(token)", "X-Own": "1"], Array(body.utf8),
            url: "http://h/a?access_token=\(token)", passwords: passwords, tokens: [token])
    }

    @Test func `secrets are shown as placeholders, and edited texts regain them`() {
        let message = Self.message(
            #"{"old":"first secret","new":"second \"one\"","token":"\#(Self.token)"}"#,
            passwords: ["first secret", #"second "one""#])
        #expect(
            message.body
                == #"{"old":"‹password›","new":"‹password:2›","token":"‹token:0›"}"#)
        #expect(message.fields.map(\.value) == ["Bearer ‹token:0›", "1"])
        #expect(message.maskedURL == "http://h/a?access_token=‹token:0›")
        let body = message.body(edited: #"{"new":"‹password:2›","copy":"‹token:0›"}"#)
        #expect(
            body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"new":"second \"one\"","copy":"\#(Self.token)"}"#)
        let (headers, invalid) = message.headers(edited: [
            .init(name: "X-Token", value: "‹token:0›"), .init(name: "X-Bad", value: "‹token:9›"),
        ])
        #expect(headers["X-Token"] == Self.token && invalid == [1])
    }

    @Test func `an unchanged text stays as it was, whatever its line ends`() {
        let message = Self.message("a\r\nb")
        #expect(message.body(edited: "a\nb") == Array("a\r\nb".utf8))
        #expect(message.body(edited: "a\nc") == Array("a\r\nc".utf8))
    }

    @Test func `binary and encoded bodies cannot be edited`() {
        let binary = MaskedMessage([:], [0, 1], passwords: [], tokens: [])
        #expect(binary.body == nil && binary.bodyNote == "binary, 2 B: passes unchanged")
        let encoded = MaskedMessage(
            ["Content-Encoding": "gzip"], Array("x".utf8), passwords: [], tokens: [])
        #expect(encoded.bodyNote == "encoded as gzip: passes unchanged")
    }

    private enum TestTokens { static let access = "opaque-token-abcdef" }
}
