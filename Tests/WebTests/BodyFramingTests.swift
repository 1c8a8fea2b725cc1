import Testing

@testable import Web

/// RFC 9112, 6.3 and 11.2.
@Suite(.timeLimit(.minutes(10))) struct BodyFramingTests {
    private func framing(_ fields: [(String, String)]) throws -> BodyFraming {
        var headers: Headers = ["Host": "x"]
        for (name, value) in fields { headers.add(name, value) }
        return try BodyFraming(headers)
    }

    @Test func `a body is framed by its length, by chunks, or is absent`() throws {
        #expect(try framing([]) == .none)
        #expect(try framing([("Content-Length", "12")]) == .length(12))
        #expect(try framing([("Transfer-Encoding", "Chunked")]) == .chunked)
    }

    @Test(arguments: [
        [("Content-Length", "1"), ("Transfer-Encoding", "chunked")],
        [("Transfer-Encoding", "chunked"), ("Content-Length", "1")],
        [("Content-Length", "1"), ("Content-Length", "2")], [("Transfer-Encoding", "xchunked")],
        [("X-A", "a\u{0}b")], [("X-A", "a\u{1}b")], [("X A", "b")],
        [("Content-Length", "1"), ("content-length", "1")],
        [("Content-Length", "+1")], [("Content-Length", "")],
        [("Content-Length", "9999999999999999999")],
        [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
        [("Transfer-Encoding", "gzip, chunked")],
    ]) func `ambiguous framing and malformed header fields are rejected`(
        _ fields: [(String, String)]
    ) {
        let problem = #expect(throws: Problem.self) { try framing(fields) }
        #expect(problem?.code == "malformed-request")
        #expect(problem?.status == 400)
    }
}
