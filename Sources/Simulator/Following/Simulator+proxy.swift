import Apps
import Core
import Crypto
import Synchronization
package import Traffic
package import Web

extension Simulator {
    /// Forwards a real app's request to the backend chosen on its device and returns the response.
    /// The effects on the device's session are stored before the response is complete.
    ///
    /// Without `device`, each client has a device of its own; a new one copies the backend
    /// selection of `templateDevice`, if any.
    package func proxy(
        _ request: ProxyRequest, of id: String, in workspace: String, on device: String?,
        templateDevice: String? = nil
    ) async throws -> Response {
        try requireWorkspace(workspace)
        try request.validatePath()
        guard let app = catalog.app(id) else { throw Problem.unknownApp(id) }
        let instance = AppInstance(
            workspace: workspace,
            device: try await self.device(device, of: request, from: app, in: workspace), app: id)
        if device == nil, let templateDevice {
            try await copyBackend(instance, app, from: templateDevice)
        }
        let context = try await self.context(instance, app)
        let matcher = callMatchers.matcher(for: context)
        let customBase = matcher.customBase(for: request.request.method, path: request.path)
        let target = ProxyTarget(
            baseURL: customBase ?? context.baseURL, passwordFields: matcher.passwordFields
        ) { [self] exchange in try await interpret(exchange, of: request, instance, app, matcher) }
        return try await recorder.forward(request, to: target)
    }

    /// Lets an app without stored state use the backend chosen on the device `from`.
    private func copyBackend(_ instance: AppInstance, _ app: App, from: String) async throws {
        guard try await stateStore.state(instance, app).persisted.rowID == nil else { return }
        let template = AppInstance(workspace: instance.workspace, device: from, app: instance.app)
        let templateState = try await stateStore.state(template, app).persisted
        try await stateStore.update(instance, app) { persisted, _, _ in
            guard persisted.rowID == nil else { return }
            persisted.backend = templateState.backend
            persisted.customBackends = templateState.customBackends
        }
    }

    /// The requested device, or the client's own, which is the same for every request.
    private func device(
        _ requested: String?, of request: ProxyRequest, from app: App, in workspace: String
    ) async throws -> String {
        if let requested { return try await stateStore.requireDevice(requested, in: workspace).id }
        let client = clientDevices.register(request.clientName, "\(workspace)/\(app.id)")
        let digest = Digest.sha256("through/\(workspace)/\(app.id)/\(client)").utf8.prefix(16)
        let id = Identifier.make(prefix: "dev_through", bytes: Array(digest))
        let label = client.isEmpty ? "Proxied" : "Proxied \(client)"
        return try await findOrMakeDevice(id: id, in: workspace, label: label).id
    }
}

/// Caches call matchers, one per workspace, app and backend, as long as manifest and custom backend
/// are unchanged.
final class CallMatcherCache: Sendable {
    /// By workspace, app and backend.
    private let entries = SharedCache<[String], Entry>(capacity: 256)

    private struct Entry {
        var app: App
        var customBackend: PersistedAppState.CustomBackend?
        var matcher: CallMatcher
    }

    func matcher(for context: ActionContext) -> CallMatcher {
        let backend = context.backend
        let customBackend = context.persisted.customBackends[backend]
        let key = [context.device.workspace, context.app.id, backend]
        if let cached = entries[key], cached.app == context.app,
            cached.customBackend == customBackend
        {
            return cached.matcher
        }
        let matcher = CallMatcher(
            context.app, backend: backend, settings: Variables(context.settingValues))
        entries[key] = Entry(app: context.app, customBackend: customBackend, matcher: matcher)
        return matcher
    }
}

/// Identifies the client apps that use the proxy by the name in their `User-Agent`.
///
/// The number of clients per app is limited; otherwise a client that changes its name with each
/// request would fill the list of devices.
final class ClientDevices: Sendable {
    /// By app and workspace.
    private let clientNames = Mutex(LRUCache<String, Set<String>>(capacity: 1_000))

    /// Clients of one app in one workspace with a device of their own.
    private static let maxClientsPerApp = 16

    /// Returns the client's name, or an empty one if there are too many clients.
    func register(_ client: String, _ appKey: String) -> String {
        clientNames.withLock { names in
            var known = names.value(for: appKey) ?? []
            if known.contains(client) { return client }
            guard known.count < Self.maxClientsPerApp else { return "" }
            known.insert(client)
            names.set(appKey, known)
            return client
        }
    }
}
