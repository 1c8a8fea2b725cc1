import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct RequestContextTests {
    private func context(_ target: String) throws -> RequestContext {
        RequestContext(
            request: Request(method: .get, target: target),
            target: try RequestTarget(parsing: target),
            cookies: Cookies([:]), authentication: .bearer)
    }

    @Test func `allowed query parameters are read`() throws {
        let values = try context("/x?app=mystica&q=").query(allowing: ["app", "q", "limit"])
        #expect(values == ["app": "mystica", "q": ""])
    }

    @Test(arguments: ["/x?ap=1", "/x?app=1&app=2"])
    func `an unknown or repeated query parameter is rejected by name`(
        _ target: String
    ) throws {
        let problem = try #require(throws: Problem.self) {
            try context(target).query(allowing: ["app"])
        }
        #expect(problem.status == 400)
        #expect(problem.errors.first?.pointer.hasPrefix("?ap") == true)
    }

    @Test func `a problem is rendered as RFC 9457 specifies`() throws {
        let problem = Problem(
            status: 405, code: "no-way", title: "No", detail: "Try \"x\".",
            errors: [.init(pointer: "/a", detail: "is wrong")], headers: ["Allow": "GET"])
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

    @Test func `security headers do not replace the response's own headers`() {
        var response = Response(
            status: 200, headers: ["content-security-policy": "sandbox", "ETag": "\"1\""])
        SecurityHeaders.add(to: &response, pagePolicy: "default-src 'self'")
        #expect(response.headers.all("Content-Security-Policy") == ["sandbox"])
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test func `no content security policy allows inline or foreign sources`() {
        for policy in [
            ContentSecurityPolicy.consolePage(at: "localhost:1", scripts: ["/a.js"]),
            ContentSecurityPolicy.appScreen(
                at: "localhost:1", script: "/a.js", files: "/a/", formRoot: "/apps/a/",
                isFramed: true),
            ContentSecurityPolicy.nonPage,
        ] {
            #expect(policy.hasPrefix("default-src 'none'"))
            for word in ["unsafe", "*", "http"] { #expect(!policy.contains(word)) }
        }
    }

    @Test func `a console page may run only the listed scripts`() {
        let paths = ["/assets/a.js", "/assets/b/c.js"]
        let policy = ContentSecurityPolicy.consolePage(at: "localhost:1", scripts: paths)
        #expect(policy.contains("script-src localhost:1/assets/a.js localhost:1/assets/b/c.js;"))
        #expect(
            ContentSecurityPolicy.consolePage(at: nil, scripts: paths).contains(
                "script-src 'none';"))
        #expect(
            ContentSecurityPolicy.consolePage(at: "localhost:1", scripts: []).contains(
                "script-src 'none';"))
        // The grammar of CSP sources has no IPv6 host.
        #expect(
            ContentSecurityPolicy.consolePage(at: "[::1]:1", scripts: paths).contains(
                "script-src 'self';"))
    }
}
