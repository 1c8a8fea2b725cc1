import Testing
import Web

@Suite struct VisitTests {
    private func visit(_ target: String) throws -> Visit {
        Visit(
            request: Request(method: .get, target: target),
            target: try Target(parsing: target), cookies: Cookies([:]),
            pass: .bearer)
    }

    @Test func `known parameters are read`() throws {
        let values = try visit("/x?app=mystica&q=").query(
            allowing: ["app", "q", "limit"])
        #expect(values == ["app": "mystica", "q": ""])
    }

    @Test(arguments: ["/x?ap=1", "/x?app=1&app=2"])
    func `an unknown or doubled parameter is named`(_ target: String) throws {
        let problem = try #require(throws: Problem.self) {
            try visit(target).query(allowing: ["app"])
        }
        #expect(problem.status == 400)
        #expect(problem.errors.first?.pointer.hasPrefix("?ap") == true)
    }

    @Test func `a problem is told as RFC 9457 has it`() throws {
        let problem = Problem(
            status: 405, code: "no-way", title: "No", detail: "Try \"x\".",
            errors: [.init(pointer: "/a", detail: "is wrong")],
            headers: ["Allow": "GET"])
        let response = problem.response
        #expect(response.status == 405)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.headers["Allow"] == "GET")
        #expect(
            problem.json.description == """
                {"type":"/problems/no-way","title":"No","status":405,\
                "detail":"Try \\"x\\".",\
                "errors":[{"pointer":"/a","detail":"is wrong"}]}
                """)
    }

    @Test func `an answer keeps the headers it brought`() {
        var response = Response(
            status: 200,
            headers: ["content-security-policy": "sandbox", "ETag": "\"1\""])
        SecurityHeaders.add(to: &response)
        #expect(
            response.headers.all("Content-Security-Policy") == ["sandbox"])
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test func `no policy allows what is inline or from elsewhere`() {
        let policy = SecurityHeaders.policy
        #expect(policy.hasPrefix("default-src 'none'"))
        for word in ["unsafe", "*", "http"] {
            #expect(!policy.contains(word))
        }
    }
}
