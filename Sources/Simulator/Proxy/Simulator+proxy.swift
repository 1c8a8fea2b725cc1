import Apps
import Core
import Crypto
import Synchronization
import Traffic
package import Web

extension Simulator {
    /// Forwards a real app's request to the backend chosen on its device and returns the response.
    /// The effects on the device's session are stored before the response is complete.
    package func proxy(_ proxyRequest: ProxyRequest) async throws -> Response {
        guard hasWorkspace(proxyRequest.workspace) else {
            throw Problem.unknownWorkspace(proxyRequest.workspace)
        }
        try proxyRequest.validatePath()
        let app = try catalogApp(proxyRequest.app)
        let instance = AppInstance(
            workspace: proxyRequest.workspace, device: try await device(for: proxyRequest),
            app: app.id)
        if proxyRequest.device == nil, let templateDevice = proxyRequest.templateDevice {
            try await copyBackend(instance, app, from: templateDevice)
        }
        let context = try await runner.context(instance, app)
        let matcher = callMatchers.matcher(for: context)
        let customBaseURL = matcher.customBase(
            for: proxyRequest.request.method, path: proxyRequest.path)
        let rewriter = ProxyRewriter(proxyRequest, to: customBaseURL ?? context.baseURL)
        let request = rewriter.request
        let recorder = runner.recorder
        let exchangeContext =
            recorder.hasActiveFaults
            ? CallAnalysis(
                request, isComplete: proxyRequest.request.bodyStream == nil, proxyRequest, nil,
                context, matcher
            )
            .context(instance, context) : nil
        let exchange = await recorder.open(
            request, bodyStream: proxyRequest.request.bodyStream, as: exchangeContext)
        let proxyExchange = ProxyExchange(
            proxyRequest: proxyRequest, instance: instance, app: app, matcher: matcher,
            exchange: exchange,
            runner: runner)
        guard case .responded(let upstream) = exchange.response.result.outcome else {
            await proxyExchange.finish(nil)
            return proxyExchange.failureResponse
        }
        var response = rewriter.response(upstream, exchange: exchange.id)
        if let failure = rewriter.rejectionReason(for: response) {
            return await proxyExchange.reject(failure)
        }
        guard let upstreamBody = exchange.response.body else {
            await proxyExchange.finish(nil)
            response.body = Self.body(upstream, proxyRequest.request.method)
            return response
        }
        response.body = .proxied(
            proxyExchange.trackedBody(upstreamBody, length: upstream.contentLength))
        return response
    }

    private static func body(_ response: UpstreamResponse, _ method: Method) -> Response.Body {
        if method == .head || response.status == 304 {
            return .headOnly(length: response.contentLength)
        }
        return response.body.isEmpty ? .empty : .bytes(response.body)
    }

    private func catalogApp(_ id: String) throws(Problem) -> App {
        guard let app = catalog.app(id) else { throw .unknownApp(id) }
        return app
    }

    /// Lets an app without stored state use the backend chosen on the device `from`.
    private func copyBackend(_ instance: AppInstance, _ app: App, from: String) async throws {
        guard try await stateStore.state(instance, app).kept.rowID == nil else { return }
        let template = AppInstance(workspace: instance.workspace, device: from, app: instance.app)
        let templateState = try await stateStore.state(template, app).kept
        try await stateStore.update(instance, app) { persisted, _ in
            guard persisted.rowID == nil else { return }
            (persisted.backend, persisted.customBackends) = (
                templateState.backend, templateState.customBackends
            )
        }
    }

    /// The requested device, or the client's own, which is the same for every request.
    private func device(for proxyRequest: ProxyRequest) async throws -> String {
        if let requested = proxyRequest.device {
            guard try await device(requested, in: proxyRequest.workspace) != nil else {
                throw Problem.unknownDevice(requested)
            }
            return requested
        }
        let client = clientDevices.register(
            proxyRequest.clientName, "\(proxyRequest.workspace)/\(proxyRequest.app)")
        let clientKey = "through/\(proxyRequest.workspace)/\(proxyRequest.app)/\(client)"
        let id = clientDevices.deviceID(clientKey) {
            let digest = Array(Digest.sha256(clientKey).utf8.prefix(16))
            return Identifier.make(prefix: "dev_through", bytes: digest)
        }
        let device = try await findOrMakeDevice(
            id: id, in: proxyRequest.workspace,
            label: client.isEmpty ? "Proxied" : "Proxied \(client)")
        return device.id
    }
}

extension UpstreamResponse {
    /// The body length its header declares.
    fileprivate var contentLength: Int? {
        guard headers["Transfer-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
