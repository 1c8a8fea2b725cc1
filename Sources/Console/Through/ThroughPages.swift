import Simulator
import Web

/// `/through/{workspace}/{app}/…`: what a real app asks there its backend
/// answers.
package struct ThroughPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(
                .any, Links.through("{workspace}", "{app}") + "/*",
                access: .through, handler: pass)
        ]
    }

    /// Whether a request's target is one of these: its body is then handed on
    /// as it comes.
    package static let isAskedFor: @Sendable (String) -> Bool = { target in
        target.hasPrefix("/through/")
    }

    @Sendable private func pass(_ visit: Visit) async throws -> Response {
        let segment = visit.parameters["workspace"] ?? ""
        let app = visit.parameters["app"] ?? ""
        let host = visit.request.headers["Host"] ?? ""
        do {
            return try await services.simulator.pass(
                Passage(
                    workspace: Guard.split(segment).workspace, app: app,
                    device: visit.request.headers["X-Foyer-Device"],
                    request: visit.request, rest: visit.target.rest,
                    root: "http://\(host)\(Links.through(segment, app))"))
        } catch let problem as Problem {
            throw problem.throughUs(ofApp: app, services)
        }
    }
}

extension Problem {
    /// Says that it is Foyer that speaks, and why a broken app is none.
    fileprivate func throughUs(ofApp app: String, _ services: Services) -> Self
    {
        var problem =
            code == "unknown-app" ? services.problem(ofApp: app) : self
        problem.headers["X-Foyer-Error"] = problem.code
        return problem
    }
}
