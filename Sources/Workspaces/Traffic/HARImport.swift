package import Apps
package import Core
package import Traffic
import Web

/// Imports an HTTP Archive into a workspace's recorded traffic.
///
/// Secrets are removed as from all recorded traffic: passwords by the field names of manifests and
/// common usage, tokens into sealed values.
package struct HARImport: Sendable {
    private let recorder: Recorder
    private let catalog: AppCatalog
    private let hub: EventHub
    /// The embedded backend's address.
    private let backendBase: String

    package init(recorder: Recorder, catalog: AppCatalog, hub: EventHub, backendBase: String) {
        self.recorder = recorder
        self.catalog = catalog
        self.hub = hub
        self.backendBase = backendBase
    }

    /// Parsing 32 MiB takes about a second.
    private static let backgroundQueue = BackgroundQueue("import")

    /// Records every entry in order of time, or throws the errors with their positions. Returns the
    /// new exchanges' ids in the archive's order.
    package func importArchive(_ bytes: [UInt8], into workspace: String) async throws -> [String] {
        let parsedEntries = try await Self.backgroundQueue.run { try parse(bytes, workspace) }
        var ids = parsedEntries.map { _ in "" }
        for (index, entry, exchangeContext) in parsedEntries {
            ids[index] = await recorder.record(entry, as: exchangeContext)
            await Task.yield()
        }
        if !ids.isEmpty {
            hub.publish(
                Event(
                    workspace: workspace, kind: .exchangesImported,
                    subject: parsedEntries.last.map { ids[$0.index] },
                    title: "\(Format.count(ids.count, "request")) imported"))
        }
        return ids
    }

    /// All entries sorted by time, each with its index in the archive and its recording context.
    private func parse(_ bytes: [UInt8], _ workspace: String) throws -> [(
        index: Int, entry: HAREntry, context: ExchangeContext
    )] {
        let entries = try HARFile(bytes).entries
        let apps = catalog.apps
        let passwordFields = Set(apps.flatMap(\.passwordFields))
        let matchers = backendMatchers(of: apps, in: workspace)
        return entries.indices.sorted { (entries[$0].startedAt, $0) < (entries[$1].startedAt, $1) }
            .map { index in
                let entry = entries[index]
                let origin = origin(of: entry, among: matchers)
                return (index, entry, context(entry, passwordFields, origin, workspace))
            }
    }

    /// The recording context: the origin and the secrets of the exchange.
    private func context(
        _ entry: HAREntry, _ passwordFields: Set<String>, _ origin: Origin, _ workspace: String
    ) -> ExchangeContext {
        var exchangeContext = ExchangeContext(
            workspace: workspace, app: origin.app, device: Self.importedPlaceholder,
            backend: origin.backend, call: origin.call, cause: .imported)
        // Reads short parts first: the number of secrets is limited, and a body may exhaust it.
        var secrets = SecretFields(passwordFields: passwordFields)
        secrets.read(url: entry.request.url)
        secrets.read(entry.request.headers)
        let response: UpstreamResponse? =
            if case .responded(let response) = entry.result.outcome { response } else { nil }
        secrets.read(response?.headers ?? [:])
        secrets.read(entry.params)
        exchangeContext.bodyWithheldReason = secrets.read(
            request: entry.request.body, entry.requestContentType)
        if let response { secrets.read(response) }
        exchangeContext.passwords = secrets.passwords
        exchangeContext.tokens = secrets.tokens
        return exchangeContext
    }

    /// Used for an unknown device, app, backend or call.
    package static let importedPlaceholder = "imported"

    // MARK: Origin

    private typealias Origin = (app: String, backend: String, call: String)

    /// A backend of an app, its base URL, and the matcher of its calls.
    private typealias BackendMatcher = (
        app: String, backend: String, baseURL: String, matcher: CallMatcher
    )

    private func backendMatchers(of apps: [App], in workspace: String) -> [BackendMatcher] {
        apps.flatMap { app in
            app.backends.map { backend in
                // The manifest's settings; a device's own values are unknown here.
                var settings = Variables()
                for setting in app.settings {
                    var value = setting.defaultValue
                    if case .text(let text)? = backend.settings[setting.name] { value = text }
                    settings.values[setting.name] = JSON(value)
                }
                return (
                    app.id, backend.id,
                    backend.baseURL(embeddedAt: backendBase, workspace: workspace),
                    CallMatcher(app, backend: backend.id, settings: settings)
                )
            }
        }
    }

    /// The app whose backend's base URL the URL begins with, and the matching call. Archives
    /// exported by Foyer name both.
    private func origin(of entry: HAREntry, among matchers: [BackendMatcher]) -> Origin {
        let metadata = entry.metadata
        if let app = catalog.app(metadata["app"] ?? ""),
            let backend = app.backends.first(where: { $0.id == metadata["backend"] })
        {
            return (app.id, backend.id, metadata["call"] ?? Self.importedPlaceholder)
        }
        let url = URLParts(entry.request.url)
        guard let backend = matchers.first(where: { url.suffix(below: $0.baseURL) != nil }) else {
            return (Self.importedPlaceholder, Self.importedPlaceholder, Self.importedPlaceholder)
        }
        let call = backend.matcher.matchedCalls(
            for: ObservedRequest(
                entry.request, path: String(url.textBeforeQuery.dropFirst(backend.baseURL.count)),
                query: Form.parseLeniently(url.query ?? ""))
        ).first
        return (backend.app, backend.backend, call?.name ?? Self.importedPlaceholder)
    }
}
