import Apps
import Core
import Crypto
import Synchronization
import Traffic
package import Web

extension Simulator {
    /// Hands a real app's request on to the backend chosen on its device, and
    /// the answer back; what they mean to the device's session is kept before
    /// the answer is whole.
    package func proxy(_ passage: ProxyRequest) async throws -> Response {
        guard hasWorkspace(passage.workspace) else {
            throw Problem.unknownWorkspace(passage.workspace)
        }
        try passage.validatePath()
        let app = try catalogApp(passage.app)
        let instance = AppInstance(
            workspace: passage.workspace, device: try await device(for: passage), app: app.id)
        if passage.device == nil, let like = passage.templateDevice {
            try await copyBackend(instance, app, from: like)
        }
        let context = try await runner.context(instance, app)
        let book = callMatchers.matcher(for: context)
        let own = book.customBase(for: passage.request.method, path: passage.path)
        let forwarding = ProxyRewriter(passage, to: own ?? context.baseURL)
        let request = forwarding.request
        let recorder = runner.recorder
        let exchangeContext =
            recorder.hasActiveFaults
            ? CallAnalysis(
                request, isComplete: passage.request.bodyStream == nil, passage, nil, context, book
            )
            .context(instance, context) : nil
        let relay = await recorder.open(
            request, bodyStream: passage.request.bodyStream, as: exchangeContext)
        let crossing = ProxyExchange(
            proxyRequest: passage, instance: instance, app: app, matcher: book, exchange: relay,
            runner: runner)
        guard case .responded(let upstream) = relay.response.result.outcome else {
            await crossing.finish(nil)
            return crossing.failureResponse
        }
        var response = forwarding.response(upstream, exchange: relay.id)
        if let objection = forwarding.rejectionReason(for: response) {
            return await crossing.reject(objection)
        }
        guard let rest = relay.response.body else {
            await crossing.finish(nil)
            response.body = Self.body(upstream, passage.request.method)
            return response
        }
        response.body = .proxied(crossing.trackedBody(rest, length: upstream.contentLength))
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

    /// Has an app that was never used speak to the backend that is chosen on
    /// the device `like`.
    private func copyBackend(_ instance: AppInstance, _ app: App, from: String) async throws {
        guard try await stateStore.state(instance, app).kept.rowID == nil else { return }
        let model = AppInstance(workspace: instance.workspace, device: from, app: instance.app)
        let chosen = try await stateStore.state(model, app).kept
        try await stateStore.update(instance, app) { persisted, _ in
            guard persisted.rowID == nil else { return }
            (persisted.backend, persisted.customBackends) = (chosen.backend, chosen.customBackends)
        }
    }

    /// The device named, or the client's own: the same whenever it comes
    /// again.
    private func device(for passage: ProxyRequest) async throws -> String {
        if let named = passage.device {
            guard try await device(named, in: passage.workspace) != nil else {
                throw Problem.unknownDevice(named)
            }
            return named
        }
        let client = clientDevices.register(
            passage.clientName, "\(passage.workspace)/\(passage.app)")
        let text = "through/\(passage.workspace)/\(passage.app)/\(client)"
        let id = clientDevices.deviceID(text) {
            let digest = Array(Digest.sha256(text).utf8.prefix(16))
            return Identifier.make(prefix: "dev_through", bytes: digest)
        }
        let device = try await findOrMakeDevice(
            id: id, in: passage.workspace,
            label: client.isEmpty ? "Through" : "Through \(client)")
        return device.id
    }
}

extension UpstreamResponse {
    /// Bytes of its body as it tells them itself.
    fileprivate var contentLength: Int? {
        guard headers["Transfer-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
