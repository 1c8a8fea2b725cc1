import Apps
import Simulator
import Web

/// `/through/{workspace}/{app}/…`: what a real app asks there its backend
/// answers.
package struct ThroughPages: Sendable {
    let services: Services
    let visitors: Visitors
    let keeper: Guard
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.any, "/through/{workspace}/{app}/*", access: .through, handler: pass),
            Route(.get, "/studio/{app}/through", handler: explain),
        ]
    }

    /// Behind a device's id: each client gets one of its own that begins with
    /// what is chosen on that one.
    private static let each = ",each"

    /// Whether a request's target is one of these: its body is then handed on
    /// as it comes.
    package static let isAskedFor: @Sendable (String) -> Bool = { target in
        target.hasPrefix("/through/")
    }

    @Sendable private func pass(_ visit: Visit) async throws -> Response {
        let segment = visit.parameters["workspace"] ?? ""
        let app = visit.parameters["app"] ?? ""
        let host = visit.request.headers["Host"] ?? ""
        let named = Guard.split(segment).workspace.split(separator: "@", maxSplits: 1)
        var device = named.count > 1 ? String(named[1]) : nil
        var like: String?
        if let text = device, text.hasSuffix(Self.each) {
            (device, like) = (nil, String(text.dropLast(Self.each.count)))
        }
        do {
            return try await services.simulator.pass(
                Passage(
                    workspace: String(named.first ?? ""), app: app,
                    device: visit.request.headers["X-Foyer-Device"] ?? device, like: like,
                    request: visit.request, rest: visit.target.rest,
                    root: "http://\(host)\(Links.through(segment, app))"))
        } catch let problem as Problem { throw problem.throughUs(ofApp: app, services) }
    }
}

extension ThroughPages {
    /// How a real app is pointed here: a dialog over the studio.
    @Sendable private func explain(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let id = try services.app(of: visit).id
        let (visitor, cookie) = try await visitors.welcome(visit)
        let place = visitor.place(id)
        let situation = try await services.simulator.situation(place)
        let own = address("\(place.workspace)@\(place.device)", id, visit.request)
        let any = address("\(place.workspace)@\(place.device)\(Self.each)", id, visit.request)
        let backend = situation.app.backends.first { $0.id == situation.backend }
        let model = ThroughModel(
            frame: try await frames.frame(
                "Point the real app here", place: "studio", workspace: place.workspace,
                csrf: visit.csrf, partURL: Links.studio(id) + "?part=", studioScript: true),
            through: ThroughModel.Through(
                question: "Point the real \(situation.app.name) here",
                backend: backend?.label ?? situation.backend, base: situation.base, own: own,
                any: any, label: visitor.device.label, backURL: Links.studio(id)))
        return try PageParts(
            templates: services.templates, page: "studio/throughpage",
            parts: ["dialog": "studio/through"]
        ).answer(part, model, frame: model.frame, setting: cookie)
    }

    /// As this visitor's machine reaches it; another machine's holds the
    /// secret that shows it knows the console.
    private func address(_ segment: String, _ app: String, _ request: Request) -> String {
        let host = request.headers["Host"] ?? ""
        let isHere =
            host.hasPrefix("127.") || host.hasPrefix("localhost:") || host.hasPrefix("[::1]")
        let whole = isHere ? segment : "\(segment)~\(keeper.throughSecret(of: segment))"
        return "http://\(host)\(Links.through(whole, app))"
    }
}

extension Problem {
    /// Says that it is Foyer that speaks, and why a broken app is none.
    fileprivate func throughUs(ofApp app: String, _ services: Services) -> Self {
        var problem = code == "unknown-app" ? services.problem(ofApp: app) : self
        problem.headers["X-Foyer-Error"] = problem.code
        return problem
    }
}
