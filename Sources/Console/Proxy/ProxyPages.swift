import Apps
import Simulator
import Web

/// `/through/{workspace}/{app}/…`: what a real app asks there its backend
/// answers.
package struct ProxyPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let accessGuard: Guard
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.any, "/through/{workspace}/{app}/*", access: .proxy, handler: proxy),
            Route(.get, "/studio/{app}/through", handler: showSetup),
        ]
    }

    /// Behind a device's id: each client gets one of its own that begins with
    /// what is chosen on that one.
    private static let perClientSuffix = ",each"

    /// Whether a request's target is one of these: its body is then handed on
    /// as it comes.
    package static let isProxyTarget: @Sendable (String) -> Bool = { target in
        target.hasPrefix("/through/")
    }

    @Sendable private func proxy(_ context: RequestContext) async throws -> Response {
        let segment = context.parameters["workspace"] ?? ""
        let app = context.parameters["app"] ?? ""
        let host = context.request.headers["Host"] ?? ""
        let named = Guard.splitProxySegment(segment).workspace.split(separator: "@", maxSplits: 1)
        var device = named.count > 1 ? String(named[1]) : nil
        var like: String?
        if let text = device, text.hasSuffix(Self.perClientSuffix) {
            (device, like) = (nil, String(text.dropLast(Self.perClientSuffix.count)))
        }
        do {
            return try await services.simulator.proxy(
                ProxyRequest(
                    workspace: String(named.first ?? ""), app: app,
                    device: context.request.headers["X-Foyer-Device"] ?? device,
                    templateDevice: like,
                    request: context.request, relativeTarget: context.target.subtreeRemainder,
                    clientBaseURL: "http://\(host)\(Links.proxy(segment, app))"))
        } catch let problem as Problem { throw problem.asProxyProblem(ofApp: app, services) }
    }
}

extension ProxyPages {
    /// How a real app is pointed here: a dialog over the studio.
    @Sendable private func showSetup(_ context: RequestContext) async throws -> Response {
        let part = try context.query(allowing: ["part"])["part"]
        let id = try services.app(of: context).id
        let (scope, cookie) = try await scopeResolver.resolve(context)
        let instance = scope.instance(id)
        let status = try await services.simulator.status(instance)
        let own = baseURL("\(instance.workspace)@\(instance.device)", id, context.request)
        let any = baseURL(
            "\(instance.workspace)@\(instance.device)\(Self.perClientSuffix)", id, context.request)
        let backend = status.app.backends.first { $0.id == status.backend }
        let model = ProxyModel(
            frame: try await frames.frame(
                "Point the real app here", navItem: "studio", workspace: instance.workspace,
                csrfToken: context.csrfToken, partURL: Links.studio(id) + "?part=",
                needsStudioScript: true),
            setup: ProxyModel.Setup(
                question: "Point the real \(status.app.name) here",
                backend: backend?.label ?? status.backend, baseURL: status.baseURL, deviceURL: own,
                perClientURL: any, deviceLabel: scope.device.label, backURL: Links.studio(id)))
        return try PageRenderer(
            templates: services.templates, pageTemplate: "studio/throughpage",
            partTemplates: ["dialog": "studio/through"]
        ).response(part, model, frame: model.frame, setting: cookie)
    }

    /// As this visitor's machine reaches it; another machine's holds the
    /// secret that shows it knows the console.
    private func baseURL(_ segment: String, _ app: String, _ request: Request) -> String {
        let host = request.headers["Host"] ?? ""
        let isHere =
            host.hasPrefix("127.") || host.hasPrefix("localhost:") || host.hasPrefix("[::1]")
        let whole = isHere ? segment : "\(segment)~\(accessGuard.proxySecret(of: segment))"
        return "http://\(host)\(Links.proxy(whole, app))"
    }
}

extension Problem {
    /// Says that it is Foyer that speaks, and why a broken app is none.
    fileprivate func asProxyProblem(ofApp app: String, _ services: Services) -> Self {
        var problem = code == "unknown-app" ? services.problem(ofApp: app) : self
        problem.headers["X-Foyer-Error"] = problem.code
        return problem
    }
}
