import Apps
import Core
import Traffic
import Web

/// Takes an HTTP Archive into a workspace's recorded traffic.
///
/// Secrets are taken out as of everything recorded: passwords by the names
/// manifests and the world give their fields, tokens into sealed values.
struct HARImport: Sendable {
    let services: Services

    /// 32 MiB are read in about a second.
    private static let backgroundQueue = BackgroundQueue("import")

    /// Records every entry in the order of time, whatever the archive's, or
    /// throws what is wrong and where; answers the new exchanges' ids in the
    /// archive's order.
    func importArchive(_ bytes: [UInt8], into workspace: String) async throws -> [String] {
        let all = try await Self.backgroundQueue.run { try parse(bytes, workspace) }
        var ids = all.map { _ in "" }
        for (place, entry, exchangeContext) in all {
            ids[place] = await services.recorder.record(entry, as: exchangeContext)
            await Task.yield()
        }
        if !ids.isEmpty {
            services.hub.publish(
                EventDraft(
                    workspace: workspace, kind: .exchangesImported,
                    subject: all.last.map { ids[$0.place] },
                    title: "\(Format.count(ids.count, "exchange")) imported"))
        }
        return ids
    }

    /// An entry, where it stands in its archive, and what it is recorded as.
    private typealias ParsedEntry = (place: Int, entry: HAREntry, context: ExchangeContext)

    /// Every entry, in the order of time.
    private func parse(_ bytes: [UInt8], _ workspace: String) throws -> [ParsedEntry] {
        let entries = try HARFile(bytes).entries
        let apps = services.apps
        let named = Set(apps.flatMap(\.passwordFields))
        let shelves = backendMatchers(of: apps, in: workspace)
        return entries.indices.sorted { (entries[$0].startedAt, $0) < (entries[$1].startedAt, $1) }
            .map { place in
                let entry = entries[place]
                let origin = origin(of: entry, among: shelves)
                return (place, entry, context(entry, named, origin, workspace))
            }
    }

    /// Whose exchange it is, and what in it is secret.
    private func context(
        _ entry: HAREntry, _ named: Set<String>, _ origin: Origin, _ workspace: String
    ) -> ExchangeContext {
        var exchangeContext = ExchangeContext(
            workspace: workspace, app: origin.app, device: Self.importedPlaceholder,
            backend: origin.backend,
            call: origin.call, cause: .imported)
        // What is short first, so that a flood in a body floods nothing else.
        var secrets = SecretFields(passwordFields: named)
        secrets.read(url: entry.request.url)
        secrets.read(entry.request.headers)
        var response = UpstreamResponse(status: 0)
        if case .responded(let got) = entry.result.outcome { response = got }
        secrets.read(response.headers)
        secrets.read(entry.params)
        exchangeContext.bodyWithheldReason = secrets.read(
            request: entry.request.body, entry.requestContentType)
        secrets.read(response: response.body, response.headers["Content-Type"] ?? "")
        exchangeContext.passwords = secrets.passwords
        exchangeContext.tokens = secrets.tokens
        return exchangeContext
    }

    /// Stands for the device nobody here knows.
    static let importedPlaceholder = "imported"

    // MARK: Where it belongs

    private typealias Origin = (app: String, backend: String, call: String)

    /// A backend of an app, where it lies, and the calls it knows.
    private struct BackendMatcher {
        let app: App
        let backend: String
        let baseURL: String
        let matcher: CallMatcher
    }

    private func backendMatchers(of apps: [App], in workspace: String) -> [BackendMatcher] {
        apps.flatMap { app in
            app.backends.compactMap { backend in
                services.baseURL(ofBackend: backend.id, app: app.id, workspace: workspace).map {
                    base in
                    BackendMatcher(
                        app: app, backend: backend.id, baseURL: base,
                        matcher: CallMatcher(
                            app, backend: backend.id, settings: Self.defaultSettings(app, backend)))
                }
            }
        }
    }

    /// As the manifest has them: nobody's own are known here.
    private static func defaultSettings(_ app: App, _ backend: AppBackend) -> Variables {
        Variables(
            app.settings.reduce(into: [:]) { all, setting in
                var value = setting.defaultValue
                if case .text(let text)? = backend.settings[setting.name] { value = text }
                all[setting.name] = JSON(value)
            })
    }

    /// The app whose backend's address it begins with, and the call that it
    /// is; our own archives tell both.
    private func origin(of entry: HAREntry, among shelves: [BackendMatcher]) -> Origin {
        let told = entry.metadata
        if let app = services.appCatalog.app(told["app"] ?? ""),
            let backend = app.backends.first(where: { $0.id == told["backend"] })
        {
            return (app.id, backend.id, told["call"] ?? Self.importedPlaceholder)
        }
        let address = URLParts(entry.request.url)
        guard let shelf = shelves.first(where: { address.suffix(below: $0.baseURL) != nil }) else {
            return (Self.importedPlaceholder, Self.importedPlaceholder, Self.importedPlaceholder)
        }
        let call = shelf.matcher.matchedCalls(
            for: ObservedRequest(
                entry.request, path: String(address.textBeforeQuery.dropFirst(shelf.baseURL.count)),
                query: Form.parseLeniently(address.query ?? ""))
        ).first
        return (shelf.app.id, shelf.backend, call?.name ?? Self.importedPlaceholder)
    }
}
