import FoundationEssentials
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

    @Test func `a browser's archive is parsed as it was recorded`() throws {
        let entry = try #require(HARFile(archive(Self.entry)).entries.first)
        #expect(entry.request.method == .post)
        #expect(entry.request.url == "https://api.example.com/login?a=1")
        #expect(entry.request.headers.fields.map(\.name) == ["Accept"])
        #expect(String(decoding: entry.request.body, as: UTF8.self) == "user=a%20b")
        #expect(entry.startedAt.iso8601 == "2026-11-20T10:00:00.250Z")
        guard case .responded(let response) = entry.result.outcome else {
            Issue.record("no response")
            return
        }
        #expect(response.body == [0, 1, 2])
        #expect(entry.result.timings.connect == 1)
        #expect(entry.result.timings.tls == 2)
        #expect(entry.result.timings.nameLookup == nil)
        #expect(entry.result.timings.total == 12.5)
    }

    @Test func `an exported archive can be imported`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok(#"{"ok":true}"#) }
        let sent = await fixture.send(
            "/auth/me?x=1", body: #"{"it":"can't"}"#, as: fixture.context())
        let detail = try #require(try await fixture.store.detail(sent.id, in: "main"))
        let file = try HARFile(HAR.archive([detail], version: "1").bytes)
        let entry = try #require(file.entries.first)
        #expect(entry.metadata["call"] == "login")
        let id = await fixture.recorder.record(entry, as: fixture.context(cause: .imported))
        let imported = try #require(try await fixture.store.detail(id, in: "main"))
        #expect(imported.exchange.cause == .imported)
        #expect(imported.exchange.url == detail.exchange.url)
        #expect(imported.exchange.status == detail.exchange.status)
        #expect(imported.requestBody == detail.requestBody)
        #expect(imported.responseBody == detail.responseBody)
        #expect(imported.requestHeaders == detail.requestHeaders)
    }

    static let invalid: [(String, JSON, String)] = [
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

    @Test(arguments: invalid) func `an invalid value is reported with its JSON pointer`(
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

    @Test func `an archive with too many entries is refused`() {
        let many = Array(repeating: Self.entry, count: HARFile.maxEntries + 1)
        let bytes = (["log": ["entries": .array(many)]] as JSON).bytes
        #expect(throws: Problem.self) { try HARFile(bytes) }
    }

    @Test func `an archive with too many JSON values is refused before it fills memory`() throws {
        let values = Array(repeating: "0", count: HARFile.maxJSONValues).joined(separator: ",")
        let bytes = Array("{\"log\":{\"entries\":[\(values)]}}".utf8)
        let problem = try #require(throws: Problem.self) { try HARFile(bytes) }
        #expect(problem.errors.first?.detail.contains("too many values") == true)
    }

    @Test func `at most 20 errors are reported for one entry`() throws {
        let fields = JSON.array((0..<200).map { _ in ["name": "a b", "value": "c"] })
        let entry: JSON = [
            "startedDateTime": "2026-11-20T11:00:00Z",
            "request": ["method": "GET", "url": "http://a.b/", "headers": fields],
            "response": ["status": 200, "headers": fields],
        ]
        let problem = #expect(throws: Problem.self) { try HARFile(archive(entry)) }
        #expect(problem?.errors.count == 20)
    }

    // MARK: Random cases

    private func headers(_ fuzz: inout Fuzz) -> Headers {
        let names = ["Accept", "X-Empty", "x-a", "Content-Type", "Set-Cookie"]
        let values = ["", "a", "text/html; q=\"1\"", "é😀", "\t", "a=b; c", "\u{7F}"]
        return Headers(
            (0..<fuzz.number(below: 4)).map { _ in
                .init(name: fuzz.one(of: names), value: fuzz.one(of: values))
            })
    }

    private func body(_ fuzz: inout Fuzz) -> ExchangeDetail.RecordedBody {
        let bytes =
            fuzz.chance(oneIn: 3)
            ? fuzz.bytes(upTo: 9) : Array(fuzz.text(of: Fuzz.signs + ["‹token:7›"], upTo: 6).utf8)
        let text = String(validating: bytes, as: UTF8.self)
        return .init(text: text, binary: text == nil ? bytes : [], length: bytes.count)
    }

    private func detail(_ fuzz: inout Fuzz) -> ExchangeDetail {
        func phase() -> Double? {
            fuzz.chance(oneIn: 3) ? nil : Double(fuzz.number(below: 4_000)) / 8
        }
        let paths = ["/", "/a?b=c&d", "?x=%20", "/‹token:9›", "/é#f", "", "/a[]={1}"]
        let hasResponse = !fuzz.chance(oneIn: 5)
        let timings = Timings(
            nameLookup: phase(), connect: phase(), tls: nil, firstByte: phase() ?? 0,
            total: Double(fuzz.number(below: 80_000)) / 8)
        let failure = TransportFailure(.connection, fuzz.text(of: Fuzz.signs, upTo: 4))
        let exchange = Exchange(
            id: "e1", sequence: 1, workspace: "main", app: "atlas", device: "d", backend: "b",
            call: "login", cause: .submit, causeEvent: nil, causeExchange: nil, attempt: 1,
            method: fuzz.one(of: ["GET", "POST", "PATCH", "LINK"]),
            url: fuzz.one(of: ["http://a.b:81", "https://[::1]"]) + fuzz.one(of: paths),
            status: hasResponse ? 100 + fuzz.number(below: 500) : nil,
            failure: hasResponse ? nil : failure,
            startedAt: Date(timeIntervalSince1970: Double(fuzz.number(below: 1 << 40)) / 8),
            timings: timings, requestBytes: 0, responseBytes: 0, fault: nil)
        var request = body(&fuzz)
        // The format has no encoding for a request body that is not text.
        if request.text == nil { request = .init(text: "", length: 0) }
        return ExchangeDetail(
            exchange: exchange, requestHeaders: headers(&fuzz), requestBody: request,
            responseHeaders: headers(&fuzz), responseBody: body(&fuzz), remoteAddress: nil,
            tokens: [], checks: [])
    }

    @Test func `every recorded exchange is unchanged after export and import`() async {
        await Cases("HAR that is written").check(oneIn: 1) { fuzz in
            let detail = detail(&fuzz)
            let file = try HARFile(HAR.archive([detail], version: "1").bytes)
            let entry = try #require(file.entries.first)
            try #require(entry.request.method.rawValue == detail.exchange.method)
            try #require(entry.request.url == detail.exchange.url)
            try #require(entry.request.headers == detail.requestHeaders)
            try #require(entry.request.body == detail.requestBody.bytes)
            try #require(entry.startedAt.iso8601 == detail.exchange.startedAt.iso8601)
            try #require(entry.result.timings == detail.exchange.timings)
            switch entry.result.outcome {
            case .responded(let response):
                try #require(response.status == detail.exchange.status)
                try #require(response.headers == detail.responseHeaders)
                try #require(response.body == detail.responseBody.bytes)
            case .failed(let failure): try #require(failure == detail.exchange.failure)
            }
            return true
        }
    }

    @Test func `a damaged archive is either parsed or refused with a pointer per error`() async {
        await Cases("HAR that is damaged").check(oneIn: 50) { fuzz in
            let entries = (0..<1 + fuzz.number(below: 3)).map { _ in detail(&fuzz) }
            let archive = HAR.archive(entries, version: "1")
            do {
                let parsed = try HARFile(fuzz.damaged(archive.bytes)).entries
                for entry in parsed {
                    try #require(entry.request.method.canBeSent)
                    for field in entry.request.headers.fields { try #require(field.canBeSent) }
                    try #require(URLParts(entry.request.url).canBeSent)
                }
                return true
            } catch let problem as Problem {
                try #require(
                    problem.code == "invalid-har" && (1...20).contains(problem.errors.count))
                for error in problem.errors {
                    let pointer = error.pointer
                    let isInArchive =
                        pointer.isEmpty || pointer == "/log" || pointer.hasPrefix("/log/entries")
                    try #require(isInArchive, "\(pointer)")
                }
            }
            return false
        }
    }
}
