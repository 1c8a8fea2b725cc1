import Support
import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct ExchangeDiffTests {
    private static let tokenA = "eyJhbGciOiJub25lIn0.eyJhIjoxfQ.aaaaaaaaaaaaT1mw"
    /// Has the same masked form as `tokenA`.
    private static let tokenB = "eyJhbGciOiJub25lIn0.eyJhIjoyfQ.bbbbbbbbbbbbT1mw"

    private func pair(
        _ first: (body: String, response: String, token: String),
        _ second: (body: String, response: String, token: String)
    ) async throws -> ExchangeDiff {
        var details: [(ExchangeDetail, [String])] = []
        for side in [first, second] {
            let fixture = try TrafficFixture { _ in TrafficFixture.ok(side.response) }
            let sent = await fixture.recorder.send(
                OutboundRequest(
                    method: .post, url: "http://127.0.0.1:7071/a?x=1",
                    headers: ["Authorization": "Bearer \(side.token)"], body: Array(side.body.utf8)),
                as: fixture.context(tokens: [side.token]))
            let detail = try #require(try await fixture.store.detail(sent.id, in: "main"))
            var tokens: [String] = []
            for index in detail.tokens.indices {
                let token = try await fixture.store.reveal(token: index, of: sent.id, in: "main")
                tokens.append(token ?? "")
            }
            details.append((detail, tokens))
        }
        return ExchangeDiff(details[0].0, details[0].1, details[1].0, details[1].1)
    }

    private func rows(_ diff: ExchangeDiff, _ title: String) -> [ExchangeDiff.Row] {
        diff.sections.first { $0.title == title }?.rows ?? []
    }

    @Test func `JSON bodies are compared by path, independent of member order`() async throws {
        let diff = try await pair(
            (#"{"a":1,"b":{"c":[1,2]},"gone":true}"#, "{}", Self.tokenA),
            (#"{"b":{"c":[1,3]},"a":1,"new":"x"}"#, "{}", Self.tokenA))
        #expect(
            rows(diff, "Request body") == [
                .init(path: "/b/c/1", old: "2", new: "3"),
                .init(path: "/gone", old: "true", new: nil),
                .init(path: "/new", old: nil, new: #""x""#),
            ])
        #expect(!diff.isEqualExceptTiming)
    }

    @Test func `text is compared line by line`() async throws {
        let diff = try await pair(
            ("", "one\ntwo\nthree", Self.tokenA), ("", "one\n2\nthree\nfour", Self.tokenA))
        #expect(
            rows(diff, "Response body") == [
                .init(path: "Line 2", old: "two", new: "2"),
                .init(path: "Line 4", old: nil, new: "four"),
            ])
    }

    @Test func `equal tokens match and different tokens with the same mask do not`() async throws {
        let same = try await pair(("", "{}", Self.tokenA), ("", "{}", Self.tokenA))
        #expect(same.isEqualExceptTiming)
        let other = try await pair(("", "{}", Self.tokenA), ("", "{}", Self.tokenB))
        let row = try #require(rows(other, "Request headers").first)
        #expect(row.path == "authorization")
        #expect(row.old == "Bearer eyJhbG…T1mw")
        #expect(row.new == "Bearer eyJhbG…T1mw (2)")
    }

    @Test func `fields that only the second body has are added`() async throws {
        let diff = try await pair(("", "{}", Self.tokenA), (#"{"a":1}"#, "{}", Self.tokenA))
        #expect(rows(diff, "Request body").allSatisfy { $0.kind == .added })
    }
}
