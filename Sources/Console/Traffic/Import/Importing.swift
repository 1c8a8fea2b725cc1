import Apps
import Surroundings
import Traffic
import Web

/// Takes an HTTP Archive into a workspace's recorded traffic.
///
/// Secrets are taken out as of everything recorded: passwords by the names
/// manifests and the world give their fields, tokens into sealed values.
struct Importing: Sendable {
    let services: Services

    /// 32 MiB are read in about a second.
    private static let bench = Workbench("import")

    /// Records every entry in the order of time, whatever the archive's, or
    /// throws what is wrong and where; answers the new exchanges' ids in the
    /// archive's order.
    func take(_ bytes: [UInt8], into workspace: String) async throws -> [String] {
        let all = try await Self.bench.run { try read(bytes, workspace) }
        var ids = all.map { _ in "" }
        for (place, entry, context) in all {
            ids[place] = await services.recorder.record(entry, as: context)
            await Task.yield()
        }
        if !ids.isEmpty {
            services.hub.publish(
                EventDraft(
                    workspace: workspace, kind: .exchangesImported,
                    subject: all.last.map { ids[$0.place] },
                    title: "\(Words.count(ids.count, "exchange")) imported"))
        }
        return ids
    }

    /// An entry, where it stands in its archive, and what it is recorded as.
    private typealias Read = (place: Int, entry: HAREntry, context: ExchangeContext)

    /// Every entry, in the order of time.
    private func read(_ bytes: [UInt8], _ workspace: String) throws -> [Read] {
        let entries = try HARFile(bytes).entries
        let apps = services.apps
        let named = Set(apps.flatMap(\.passwordFields))
        let shelves = shelves(of: apps, in: workspace)
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
        var context = ExchangeContext(
            workspace: workspace, app: origin.app, device: Self.elsewhere, backend: origin.backend,
            call: origin.call, cause: .imported)
        // What is short first, so that a flood in a body floods nothing else.
        var secrets = SecretFields(named: named)
        secrets.read(url: entry.request.url)
        secrets.read(entry.request.headers)
        var answer = Answer(status: 0)
        if case .answered(let got) = entry.delivery.outcome { answer = got }
        secrets.read(answer.headers)
        secrets.read(entry.params)
        context.withheld = secrets.read(request: entry.request.body, entry.requestType)
        secrets.read(answer: answer.body, answer.headers["Content-Type"] ?? "")
        context.passwords = secrets.passwords
        context.tokens = secrets.tokens
        return context
    }

    /// Stands for the device nobody here knows.
    static let elsewhere = "imported"

    // MARK: Where it belongs

    private typealias Origin = (app: String, backend: String, call: String)

    /// A backend of an app, where it lies, and the calls it knows.
    private struct Shelf {
        let app: App
        let backend: String
        let base: String
        let book: CallBook
    }

    private func shelves(of apps: [App], in workspace: String) -> [Shelf] {
        apps.flatMap { app in
            app.backends.compactMap { backend in
                services.base(ofBackend: backend.id, app: app.id, workspace: workspace).map {
                    base in
                    Shelf(
                        app: app, backend: backend.id, base: base,
                        book: CallBook(
                            app, backend: backend.id, settings: Self.settings(app, backend)))
                }
            }
        }
    }

    /// As the manifest has them: nobody's own are known here.
    private static func settings(_ app: App, _ backend: Backend) -> Variables {
        Variables(
            app.settings.reduce(into: [:]) { all, setting in
                var value = setting.default
                if case .text(let text)? = backend.settings[setting.name] { value = text }
                all[setting.name] = JSON(value)
            })
    }

    /// The app whose backend's address it begins with, and the call that it
    /// is; our own archives tell both.
    private func origin(of entry: HAREntry, among shelves: [Shelf]) -> Origin {
        let told = entry.told
        if let app = services.catalogue.app(told["app"] ?? ""),
            let backend = app.backends.first(where: { $0.id == told["backend"] })
        {
            return (app.id, backend.id, told["call"] ?? Self.elsewhere)
        }
        let address = Address(entry.request.url)
        guard let shelf = shelves.first(where: { address.rest(below: $0.base) != nil }) else {
            return (Self.elsewhere, Self.elsewhere, Self.elsewhere)
        }
        let call = shelf.book.recognise(
            Seen(
                entry.request, path: String(address.page.dropFirst(shelf.base.count)),
                query: Form.lenient(address.query ?? ""))
        ).first
        return (shelf.app.id, shelf.backend, call?.name ?? Self.elsewhere)
    }
}
