import Testing
import Web

@testable import Backend

/// Which checks every refusal of every contract rests on, as people read it.
@Suite(.timeLimit(.minutes(10))) struct CheckTraceTranscriptTests {
    static let contracts: [(String, [ContractCase])] = [
        (
            "mystica",
            MysticaTranscriptTests.cases.map {
                ContractCase($0.name, $0.request)
            }
        ),
        ("bob", BobTranscriptTests.cases),
        ("wall", WallTranscriptTests.cases),
        ("socoto", SocotoTranscriptTests.cases),
        ("clarity", ClarityTranscriptTests.cases),
    ]

    @Test(arguments: contracts.map(\.0))
    func `every refusal of a contract tells its checks in order`(_ contract: String) async throws {
        let cases = Self.contracts.first { $0.0 == contract }?.1 ?? []
        var lines: [String] = []
        for situation in cases {
            let fixture = try await BackendFixture()
            let request = try await situation.request(fixture)
            let reply = await fixture.send(request)
            guard reply.status >= 400 else { continue }
            let checks = try #require(fixture.checks(of: reply))
            #expect(checks.count { $0.state == .failed } == 1, "\(situation.name)")
            #expect(checks.first?.name == "host", "\(situation.name)")
            lines += Self.lines(situation.name, reply.status, checks)
        }
        #expect(!lines.isEmpty)
        let transcript = Transcript(title: contract, lines: lines)
        let kept = try transcript.kept(as: "trails/\(contract)")
        #expect(transcript.text == kept)
    }

    private static func lines(_ name: String, _ status: Int, _ checks: [CheckResult]) -> [String] {
        func said(_ check: CheckResult) -> String {
            check.evidence.isEmpty ? check.name : "\(check.name) (\(check.evidence))"
        }
        // The same before every call that reached its route.
        let usual: Set<String> = ["host", "workspace", "route"]
        let passed = checks.filter { $0.state == .passed && !usual.contains($0.name) }
        let missed = checks.filter { $0.state == .skipped }
        var lines = ["\(name): \(status)"]
        if !passed.isEmpty { lines.append("  + " + passed.map(said).joined(separator: ", ")) }
        lines += checks.filter { $0.state == .failed }.map { "  x \(said($0))" }
        if !missed.isEmpty { lines.append("  - " + missed.map(\.name).joined(separator: ", ")) }
        return lines
    }
}

extension BackendFixture {
    /// The trail of a refusal; it is given once.
    func checks(of reply: Reply) -> [CheckResult]? {
        reply.requestID.flatMap { backend.takeCheckResults(forRequest: $0) }
    }
}
