import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct RouterTests {
    private let router = Router([
        route(.get, "/"), route(.get, "/apps/{app}"),
        route(.get, "/apps/{app}/{screen}"),
        route(.post, "/apps/{app}/{screen}/{action}"),
        route(.get, "/apps/new"), route(.delete, "/apps/{app}"),
    ])

    private static func route(_ method: Method, _ pattern: String) -> Route {
        Route(method, pattern) { _ in Response(status: 204) }
    }

    private func find(_ method: Method, _ path: String) throws -> (
        pattern: String, parameters: [String: String]
    ) {
        let found = try router.find(method, try RequestTarget(parsing: path))
        return (found.route.pattern, found.parameters)
    }

    @Test func `path parameters take the values of their segments`() throws {
        let found = try find(.post, "/apps/mystica/login/submit")
        #expect(found.pattern == "/apps/{app}/{screen}/{action}")
        #expect(found.parameters == ["app": "mystica", "screen": "login", "action": "submit"])
    }

    @Test func `a literal segment takes precedence over a parameter`() throws {
        #expect(try find(.get, "/apps/new").pattern == "/apps/new")
        #expect(try find(.get, "/apps/old").pattern == "/apps/{app}")
    }

    @Test func `a GET route also handles HEAD`() throws {
        #expect(try find(.head, "/apps/old").pattern == "/apps/{app}")
    }

    @Test func `a wrong method gets 405 with the allowed methods`() throws {
        let problem = #expect(throws: Problem.self) { try find(.put, "/apps/old") }
        #expect(problem?.status == 405)
        #expect(problem?.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS")
    }

    @Test(arguments: ["/nothing", "/apps/a/b/c/d", "/apps/"]) func `an unknown path is a 404`(
        _ path: String
    ) throws {
        let problem = #expect(throws: Problem.self) { try find(.get, path) }
        #expect(problem?.status == 404)
    }

    @Test func `OPTIONS lists the allowed methods`() async throws {
        let target = try RequestTarget(parsing: "/apps/old")
        let found = try router.find(.options, target)
        #expect(found.route.access == .key)
        let response = try await found.route.handler(
            RequestContext(
                request: Request(method: .options, target: "/apps/old"), target: target,
                cookies: Cookies([:]), authentication: .bearer))
        #expect(response.status == 204)
        #expect(response.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS")
    }

    @Test(arguments: [
        (["a"], "begin with /"), (["/{a"], "write {name}"),
        (["/x{a}"], "write {name}"), (["/{}"], "write {name}"),
        (["/{a}/{a}"], "two parameters"), (["/a", "/a/"], "twice"),
        (["/{a}", "/{b}"], "other routes name"),
        (["/x/{a}/y", "/x/{b}/z"], "other routes name"),
    ])
    func `invalid and conflicting routes are reported`(
        _ patterns: [String], _ message: String
    ) {
        let routes = patterns.map { Self.route(.get, $0) }
        #expect(Router.validationError(in: routes)?.contains(message) == true)
    }

    @Test func `one path may have several methods`() {
        let routes = [Method.get, .post, .delete].map { Self.route($0, "/{a}/{b}") }
        #expect(Router.validationError(in: routes) == nil)
    }
}
