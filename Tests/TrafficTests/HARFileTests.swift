import Support
import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct HARFileTests {
    private func archive(_ entry: JSON) -> [UInt8] {
        (["log": ["version": "1.2", "entries": [entry]]] as JSON).bytes
    }

    private static let entry: JSON = [
        "startedDateTime": "2026-11-20T11:00:00.250+01:00", "time": 12.5,
        "request": [
            "method": "POST", "url": "https://api.example.com/login?a=1",
            "headers": [
                ["name": ":authority", "value": "api.example.com"],
                ["name": "Accept", "value": "*/*"],
            ],
            "postData": [
                "mimeType": "application/x-www-form-urlencoded",
                "params": [["name": "user", "value": "a b"]],
            ],
        ],
        "response": [
            "status": 200, "headers": [], "content": ["text": "AAEC", "encoding": "base64"],
        ],
        "timings": [
            "blocked": -1, "dns": -1, "connect": 3, "ssl": 2, "send": 0, "wait": 4, "receive": 1,
        ],
    ]

    @Test func `an archive of a browser is read as it was recorded`() throws {
        let entry = try #require(HARFile(archive(Self.entry)).entries.first)
        #expect(entry.request.method == .post)
        #expect(entry.request.url == "https://api.example.com/login?a=1")
        #expect(entry.request.headers.fields.map(\.name) == ["Accept"])
        #expect(String(decoding: entry.request.body, as: UTF8.self) == "user=a%20b")
        #expect(entry.startedAt.iso8601 == "2026-11-20T10:00:00.250Z")
        guard case .answered(let answer) = entry.delivery.outcome else {
            Issue.record("no answer")
            return
        }
        #expect(answer.body == [0, 1, 2])
        #expect(entry.delivery.timings.connect == 1)
        #expect(entry.delivery.timings.tls == 2)
        #expect(entry.delivery.timings.nameLookup == nil)
        #expect(entry.delivery.timings.total == 12.5)
    }

    @Test func `what we export can be taken in again`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok(#"{"ok":true}"#) }
        let sent = await house.send("/auth/me?x=1", body: #"{"it":"can't"}"#, as: house.context())
        let detail = try #require(try await house.store.detail(sent.id, in: "main"))
        let file = try HARFile(HAR.archive([detail], version: "1").bytes)
        let entry = try #require(file.entries.first)
        #expect(entry.told["call"] == "login")
        let id = await house.recorder.record(entry, as: house.context(cause: .imported))
        let again = try #require(try await house.store.detail(id, in: "main"))
        #expect(again.exchange.cause == .imported)
        #expect(again.exchange.url == detail.exchange.url)
        #expect(again.exchange.status == detail.exchange.status)
        #expect(again.requestBody == detail.requestBody)
        #expect(again.responseBody == detail.responseBody)
        #expect(again.requestHeaders == detail.requestHeaders)
    }

    static let wrong: [(String, JSON, String)] = [
        ("request", .null, "/log/entries/0/request/method"),
        ("startedDateTime", "yesterday", "/log/entries/0/startedDateTime"),
        ("response", ["status": 42], "/log/entries/0/response/status"),
        (
            "response", ["status": 200, "content": ["text": "%%", "encoding": "base64"]],
            "/log/entries/0/response/content/text"
        ),
        (
            "response", ["status": 200, "headers": [["name": "A", "value": "b\r\nc"]]],
            "/log/entries/0/response/headers/0"
        ),
    ]

    @Test(arguments: wrong) func `what is wrong is told with its place`(
        _ name: String, _ value: JSON, _ pointer: String
    ) throws {
        guard case .object(var members) = Self.entry,
            let index = members.firstIndex(where: { $0.name == name })
        else { return }
        members[index].value = value
        let bytes = archive(.object(members))
        let problem = #expect(throws: Problem.self) { try HARFile(bytes) }
        #expect(problem?.status == 400)
        #expect(problem?.errors.map(\.pointer).contains(pointer) == true)
    }

    @Test func `no more than can be borne is taken at once`() {
        let many = Array(repeating: Self.entry, count: HARFile.most + 1)
        let bytes = (["log": ["entries": .array(many)]] as JSON).bytes
        #expect(throws: Problem.self) { try HARFile(bytes) }
    }

    @Test func `an archive of very many values is refused before it fills memory`() throws {
        let values = Array(repeating: "0", count: HARFile.mostValues).joined(separator: ",")
        let bytes = Array("{\"log\":{\"entries\":[\(values)]}}".utf8)
        let problem = try #require(throws: Problem.self) { try HARFile(bytes) }
        #expect(problem.errors.first?.detail.contains("too many values") == true)
    }
}
