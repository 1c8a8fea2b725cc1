import HTTPServer
import Support
import Testing
import Web

/// Cookies and queries of the sizes that browsers send.
@Suite(.timeLimit(.minutes(10))) struct LargeHeaderTests {
    /// The response of a server that counts the bytes and fields it received.
    private func respond(target: String = "/", cookies: String? = nil) async throws -> RawResponse {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            let cookies = request.headers.all("Cookie")
            let text =
                "\(request.target.utf8.count) \(cookies.reduce(0) { $0 + $1.utf8.count }) "
                + "\(request.headers.fields.count)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
        let client = try RawClient(port: server.port)
        let field = cookies.map { "Cookie: \($0)\r\n" } ?? ""
        await client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\(field)\r\n")
        let response = try await client.answer()
        await server.stop()
        return response
    }

    @Test(arguments: [(200, 1), (60, 100), (1_600, 1), (80, 98), (4_000, 0)])
    func `eight kilobytes of cookies of any size are accepted`(count: Int, size: Int) async throws {
        let value = String(repeating: "v", count: size)
        let cookies = String(repeating: size > 0 ? "a=\(value); " : "a;", count: count)
        let sent = String(cookies.dropLast(size > 0 ? 2 : 1))
        #expect(sent.utf8.count <= 8 << 10)
        let response = try await respond(cookies: sent)
        #expect(response.text == "1 \(sent.utf8.count) 2")
    }

    @Test(arguments: [(210, "a=1"), (2_000, "a=1"), (4_000, "a"), (1, "q=")])
    func `eight kilobytes of query of any shape are accepted`(count: Int, parameter: String)
        async throws
    {
        var query = String(repeating: parameter + "&", count: count)
        if count == 1 { query += String(repeating: "x", count: 8_000) }
        let response = try await respond(target: "/?" + query)
        #expect(response.text == "\(query.utf8.count + 2) 0 1")
    }

    @Test(arguments: [20 << 10, 100 << 10])
    func `larger cookies and queries are rejected with a response body`(size: Int)
        async throws
    {
        let long = String(repeating: "a=1;", count: size / 4)
        let cookies = try await respond(cookies: long)
        #expect(cookies.status == 431)
        #expect(!cookies.body.isEmpty)
        let query = try await respond(target: "/?" + long)
        #expect([414, 431].contains(query.status))
        #expect(!query.body.isEmpty)
    }

    /// The server adds a marker field that keeps libmicrohttpd from parsing cookies.
    @Test func `a cookie that looks like the marker field reaches the responder`() async throws {
        #expect(try await respond(cookies: "-").text == "1 1 2")
    }
}
