import Testing
import Web

@testable import Backend

/// The checks of every rejection of every contract, as readable text.
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
    func `every rejection of a contract lists its checks in order`(_ contract: String) async throws
    {
        let cases = Self.contracts.first { $0.0 == contract }?.1 ?? []
        var lines: [String] = []
        for situation in cases {
            let fixture = try await BackendFixture()
            let request = try await situation.request(fixture)
            let reply = await fixture.send(request)
            guard reply.status >= 400 else { continue }
            let checks = try #require(fixture.takeChecks(of: reply))
            #expect(checks.count { $0.state == .failed } == 1, "\(situation.name)")
            #expect(checks.first?.name == "host", "\(situation.name)")
            lines += Self.lines(situation.name, reply.status, checks)
        }
        #expect(!lines.isEmpty)
        let transcript = Transcript(title: contract, lines: lines)
        let recorded = try transcript.recordedText(as: "trails/\(contract)")
        #expect(transcript.text == recorded)
    }

    private static func lines(_ name: String, _ status: Int, _ checks: [CheckResult]) -> [String] {
        func text(_ check: CheckResult) -> String {
            check.evidence.isEmpty ? check.name : "\(check.name) (\(check.evidence))"
        }
        // Passed by every request that reached its route.
        let common: Set<String> = ["host", "workspace", "route"]
        let passed = checks.filter { $0.state == .passed && !common.contains($0.name) }
        let skipped = checks.filter { $0.state == .skipped }
        var lines = ["\(name): \(status)"]
        if !passed.isEmpty { lines.append("  + " + passed.map(text).joined(separator: ", ")) }
        lines += checks.filter { $0.state == .failed }.map { "  x \(text($0))" }
        if !skipped.isEmpty { lines.append("  - " + skipped.map(\.name).joined(separator: ", ")) }
        return lines
    }
}

extension BackendFixture {
    /// The check results of a rejection; they are returned once.
    func takeChecks(of reply: Reply) -> [CheckResult]? {
        reply.requestID.flatMap { backend.takeCheckResults(forRequest: $0) }
    }
}
