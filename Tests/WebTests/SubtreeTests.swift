import Testing
import Web

/// A route that matches everything below its path, exactly as sent.
@Suite(.timeLimit(.minutes(10))) struct SubtreeTests {
    private let router = Router([
        Route(.any, "/proxy/{workspace}/{app}/*", access: .proxy) { _ in Response(status: 204)
        }, Route(.get, "/apps/{app}") { _ in Response(status: 204) },
    ])

    @Test(arguments: [
        ("", ""), ("/", "/"), ("?a", "?a"), ("/a%2F%zz/../..", "/a%2F%zz/../.."),
        ("//x?y=%ff&", "//x?y=%ff&"),
    ]) func `the remainder of the target stays exactly as sent`(_ sent: String, _ remainder: String)
        throws
    {
        let target = try router.target(of: "/proxy/main/atlas" + sent)
        #expect(target.subtreeRemainder == remainder)
        for method in [Method.get, .head, .options, .delete] {
            let found = try router.find(method, target)
            #expect(found.route.access == .proxy)
            #expect(found.parameters == ["workspace": "main", "app": "atlas"])
        }
    }

    @Test(arguments: [
        "/proxy", "/proxy/main", "/proxy//main/atlas/x", "/%70roxy/main/atlas/x",
    ]) func `another spelling of the route's path is not found`(_ sent: String) throws {
        let problem = #expect(throws: Problem.self) {
            _ = try router.find(.get, try router.target(of: sent))
        }
        #expect(problem?.status == 404)
    }

    @Test func `escaped slashes are still rejected outside the subtree and in its parameters`()
        throws
    {
        #expect(throws: Problem.self) { _ = try router.target(of: "/apps/a%2Fb") }
        #expect(throws: Problem.self) { _ = try router.target(of: "/proxy/a%2Fb/c/d") }
    }

    @Test func `hop-by-hop header fields are removed`() {
        let headers: Headers = [
            "Connection": "close, X-Mine", "x-mine": "1", "Keep-Alive": "5",
            "TE": "trailers", "Upgrade": "h2c", "Content-Length": "3",
            "Proxy-Authorization": "x", "X-Theirs": "1",
        ]
        #expect(headers.withoutHopByHopFields() == ["X-Theirs": "1"])
    }
}
