import HTTPServer
import Support
import Testing
import Web

/// Requests that libmicrohttpd would read otherwise than they were sent.
@Suite(.timeLimit(.minutes(10))) struct HeaderIntegrityCheckTests {
    /// What the server answers to `request`, and whom it asked.
    private func answer(_ request: String, _ asked: Counter = Counter(), piecewise: Bool = false)
        async throws -> RawResponse
    {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            asked.add()
            let text = request.headers.fields.map { "\($0.name)=\($0.value)" }.joined(
                separator: "|")
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
        let client = try RawClient(port: server.port)
        if piecewise {
            for byte in request.utf8 { await client.send([byte]) }
        } else {
            await client.send(request)
        }
        let answer = try await client.answer()
        await server.stop()
        return answer
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: x\0evil\r\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: \0b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:x\0\r\nA:b\r\nC:d\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\0\r\nC: d\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\0: b\r\n\r\n",
        "GET /\0a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /?a\0b HTTP/1.1\r\nHost: x\r\n\r\n",
        "G\0ET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\0\r\nHost: x\r\n\r\n",
    ]) func `a zero byte hides nothing`(_ request: String) async throws {
        let asked = Counter()
        let answer = try await answer(request, asked)
        #expect([400, 505].contains(answer.status))
        #expect(answer["Connection"] == "close")
        #expect(asked.count == 0)
    }

    @Test(arguments: [
        "Host: x\r\nA: b\r\n c\r\n", "Host: x\r\nA: b\r\n\tc\r\nD: e\r\n",
        "Hos: evil\r\n t\r\nHost: x\r\n", "Host: x\r\nA:\r\n b\r\n",
        "Host: x\r\nA: b\r\n \r\nC: d\r\n", "Host: x\r\nA: b\r\n c\r\n d\r\n",
    ]) func `a folded line becomes part of nothing`(_ fields: String) async throws {
        let asked = Counter()
        let answer = try await answer("GET / HTTP/1.1\r\n\(fields)\r\n", asked)
        #expect(answer.status == 400)
        #expect(asked.count == 0)
    }

    @Test(arguments: [
        ("Host: x\r\nA: b\r\n", "Host=x|A=b"), ("Host:x\r\nA:b\r\n", "Host=x|A=b"),
        ("Host: \t x\r\nA:\r\nB: \r\nC:   \r\n", "Host=x|A=|B=|C="),
        ("Host: x\r\nCookie: a=b; c=\"d\"\r\nE: f:g\r\n", "Host=x|Cookie=a=b; c=\"d\"|E=f:g"),
    ]) func `every other spelling is taken`(_ fields: String, _ text: String) async throws {
        for target in ["/", "/a?b=c&d", "/%00?%00"] {
            let request = "GET \(target) HTTP/1.1\r\n\(fields)\r\n"
            #expect(try await answer(request).text == text)
            #expect(try await answer(request, piecewise: true).text == text)
        }
    }

    @Test func `blanks behind a value are nobody's harm`() async throws {
        let answer = try await answer("GET / HTTP/1.1\r\nA: b  \r\nHost: x\r\n\r\n")
        #expect(answer.status == 200)
    }

    @Test func `an old client without headers is taken`() async throws {
        #expect(try await answer("GET / HTTP/1.0\r\n\r\n").status == 200)
    }

    @Test func `a hundred long headers are taken in any pieces`() async throws {
        let value = String(repeating: "v", count: 100)
        let fields = (0..<100).map { "h\($0): \(value)\r\n" }.joined()
        let answer = try await answer(
            "\r\nPOST /?q HTTP/1.1\r\nHost: x\r\n\(fields)\r\n", piecewise: true)
        #expect(answer.status == 200)
        #expect(answer.text.split(separator: "|").count == 101)
    }

    // MARK: By chance

    /// The fields of a request by RFC 9112, 2.2, 3 and 5, and nothing more lenient; nil if it is
    /// none.
    private func fields(_ request: [UInt8]) -> String? {
        var rest = request[...]
        // Empty lines before it are passed over; a line feed alone may end one.
        while rest.first == 10 || rest.starts(with: [13, 10]) {
            rest = rest.dropFirst(rest.first == 10 ? 1 : 2)
        }
        guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        var lines: [ArraySlice<UInt8>] = []
        rest = rest[..<end.lowerBound]
        while let mark = rest.firstRange(of: [13, 10]) {
            lines.append(rest[..<mark.lowerBound])
            rest = rest[mark.upperBound...]
        }
        lines.append(rest)
        let words = lines[0].split(separator: 32, omittingEmptySubsequences: false)
        guard words.count == 3, String(decoding: words[0], as: UTF8.self).isHTTPToken,
            !words[1].isEmpty, words[1].allSatisfy({ (0x21...0x7E).contains($0) }),
            ["HTTP/1.0", "HTTP/1.1"].contains(String(decoding: words[2], as: UTF8.self))
        else { return nil }
        var fields: [String] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: 58) else { return nil }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
            var value = line[(colon + 1)...].drop(while: isBlank)
            while let last = value.last, isBlank(last) { value = value.dropLast() }
            guard name.isHTTPToken, value.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
                return nil
            }
            fields.append("\(name)=\(String(decoding: value, as: UTF8.self))")
        }
        return fields.joined(separator: "|")
    }

    /// Whether a line's end and a line that begins with a zero byte or a colon have four bytes
    /// together, as two line ends have.
    private func hidesItsEnd(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast(3).contains { at in
            let four = Array(bytes[at..<at + 4])
            let first = four.starts(with: [13, 10]) ? 2 : four[0] == 10 ? 1 : 4
            return first < 4 && [0, 58].contains(four[first]) && four[3] == 10
        }
    }

    @Test func `whatever is sent is read as the standard reads it, or refused`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            let text = request.headers.fields.map { "\($0.name)=\($0.value)" }
            return Response(status: 200, body: .bytes(Array(text.joined(separator: "|").utf8)))
        }
        let pieces = [
            "A: b\r\n", "C:d\r\n", "E:  f g \t\r\n", "G:\r\n", "\"I: \"j\"\r\n", "K : l\r\n",
            " m\r\n",
            "\tn\r\n", "O: p\n", "Q: r\r", "S: t\0u\r\n", "V: w\r x\r\n", "\r\n", ":", "é: ü\r\n",
            "Y: é\r\n", "\0", " ", "Host: z\r\n", "Z: \u{7F}\r\n", "a:b:c\r\n", "x-1_2: ;=,\r\n",
        ]
        await Cases("header blocks", few: 100).check(oneIn: 6) { fuzz in
            let port = server.port
            let start = fuzz.one(of: ["", "", "", "\r\n"]) + "GET /a?b=c HTTP/1.1\r\nHost: x\r\n"
            let whole = start + "A: b c\r\nD:e\r\nF: \r\n"
            let sent =
                fuzz.chance(oneIn: 2)
                ? fuzz.damaged(whole) : Array((start + fuzz.text(of: pieces, upTo: 3)).utf8)
            // Before a first line there is no answer, only the end of the server's patience.
            guard sent.contains(where: { $0 != 13 && $0 != 10 }) else { return false }
            // What comes behind ends it, whatever it is, and the connection after it.
            let end = Array("\r\n\r\n".utf8)
            let client = try RawClient(port: port, patience: 5)
            await client.send(sent + (sent.suffix(2) == [13, 10] ? end.prefix(2) : end[...]))
            client.endSending()
            guard let answer = try? await client.answer(), answer.status == 200 else {
                return false
            }
            let meant = fields(sent + end)
            // What HeaderBlock cannot notice.
            if meant == nil, hidesItsEnd(sent + end) { return false }
            try #require(
                meant == answer.text, "\(String(decoding: sent, as: UTF8.self).debugDescription)")
            return true
        }
        await server.stop()
    }
}
