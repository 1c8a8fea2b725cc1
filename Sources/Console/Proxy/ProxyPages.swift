import Apps
import Simulator
import Templates
import Traffic
import Web

/// `/proxy/{workspace}/{app}/…`: proxies a real app's requests to its backend.
package struct ProxyPages: Sendable {
    let services: Services
    let accessGuard: Guard

    var routes: [Route] {
        [
            Route(.any, "/proxy/{workspace}/{app}/*", access: .proxy, handler: proxy),
            .studioPage(Links.studioProxy, handler: showSetup),
        ]
    }

    /// Suffix of a device id: each client gets a device of its own that copies the backend
    /// selection of that one.
    private static let perClientSuffix = ",each"

    /// Whether a request target is proxied, so that its body is streamed.
    package static let isProxyTarget: @Sendable (String) -> Bool = { target in
        target.hasPrefix("/proxy/")
    }

    @Sendable private func proxy(_ context: RequestContext) async throws -> Response {
        let segment = context.parameters["workspace"] ?? ""
        let app = context.parameters["app"] ?? ""
        let host = context.request.headers["Host"] ?? ""
        let parts = Guard.splitProxySegment(segment).workspace.utf8.split(
            separator: UInt8(ascii: "@"), maxSplits: 1
        ).map { String(Substring($0)) }
        var device = parts.count > 1 ? parts[1] : nil
        var templateDevice: String?
        if let text = device, text.hasSuffix(Self.perClientSuffix) {
            (device, templateDevice) = (nil, String(text.dropLast(Self.perClientSuffix.count)))
        }
        do {
            return try await services.simulator.proxy(
                ProxyRequest(
                    context.request, relativeTarget: context.target.subtreeRemainder,
                    clientBaseURL: "http://\(host)\(Links.proxy(segment, app))"),
                of: app, in: parts.first ?? "",
                on: context.request.headers["X-Foyer-Device"] ?? device,
                templateDevice: templateDevice)
        } catch let problem as Problem { throw problem.asProxyProblem(ofApp: app, services) }
    }

    /// Shows how to connect a real app: a dialog over the studio.
    @Sendable private func showSetup(_ context: RequestContext) async throws -> Response {
        let target = try await services.studioTarget(of: context)
        let instance = target.instance
        let id = instance.app
        let status = try await services.simulator.status(instance)
        let segment = "\(instance.workspace)@\(instance.device)"
        let page = Page(
            title: "Connect a real app", navItem: "studio", url: target.links.page,
            needsStudioScript: true,
            model: [
                "appName": status.app.name,
                "backend": status.chosenBackend?.label ?? status.backend,
                "baseURL": status.baseURL, "deviceURL": baseURL(segment, id, context.request),
                "perClientURL": baseURL(segment + Self.perClientSuffix, id, context.request),
                "deviceLabel": target.device.label, "deviceID": target.device.id,
                "backURL": target.links.page,
            ])
        return try await services.respond(
            to: context, page, "studio/proxypage", parts: ["dialog": "studio/proxy"],
            setting: target.cookie)
    }

    /// The proxy URL as the user's machine reaches it. On another machine it includes the secret
    /// that authorizes it.
    private func baseURL(_ segment: String, _ app: String, _ request: Request) -> String {
        let host = request.headers["Host"] ?? ""
        let isLocal =
            host.hasPrefix("127.") || host.hasPrefix("localhost:") || host.hasPrefix("[::1]")
        let authorizedSegment =
            isLocal ? segment : "\(segment)~\(accessGuard.proxySecret(of: segment))"
        return "http://\(host)\(Links.proxy(authorizedSegment, app))"
    }
}

extension Problem {
    /// Marks the problem as Foyer's, and replaces `unknown-app` with the manifest's error if the
    /// app is broken.
    fileprivate func asProxyProblem(ofApp app: String, _ services: Services) -> Self {
        var problem = code == "unknown-app" ? services.problem(ofApp: app) : self
        problem.headers["X-Foyer-Error"] = problem.code
        return problem
    }
}
