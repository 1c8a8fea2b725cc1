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

    /// Records every entry, or throws what is wrong and where; answers the
    /// new exchanges' ids in the archive's order.
    func take(
        _ bytes: [UInt8], into workspace: String
    ) async throws -> [String] {
        let file = try HARFile(bytes)
        let apps = services.apps
        let named = Set(apps.flatMap(\.passwordFields))
        var ids: [String] = []
        for entry in file.entries {
            let origin = origin(of: entry, in: workspace, apps)
            ids.append(
                await services.recorder.record(
                    entry, as: context(entry, named, origin, workspace)))
        }
        if !ids.isEmpty {
            services.hub.publish(
                EventDraft(
                    workspace: workspace, kind: .exchangesImported,
                    subject: ids.last,
                    title: "\(Words.count(ids.count, "exchange")) imported"))
        }
        return ids
    }

    /// Whose exchange it is, and what in it is secret.
    private func context(
        _ entry: HAREntry, _ named: Set<String>, _ origin: Origin,
        _ workspace: String
    ) -> ExchangeContext {
        var context = ExchangeContext(
            workspace: workspace, app: origin.app, device: Self.elsewhere,
            backend: origin.backend, call: origin.call, cause: .imported)
        // What is short first, so that a flood in a body floods nothing else.
        var secrets = SecretFields(named: named)
        secrets.read(url: entry.request.url)
        secrets.read(entry.request.headers.fields.map { ($0.name, $0.value) })
        var answer = Answer(status: 0)
        if case .answered(let got) = entry.delivery.outcome { answer = got }
        secrets.read(answer.headers.fields.map { ($0.name, $0.value) })
        secrets.read(url: answer.headers["Location"] ?? "")
        secrets.read(entry.params)
        context.withheld = secrets.read(
            request: entry.request.body, entry.requestType)
        secrets.read(
            answer: answer.body, answer.headers["Content-Type"] ?? "")
        context.passwords = secrets.passwords
        context.tokens = secrets.tokens
        return context
    }

    /// Stands for the device nobody here knows.
    static let elsewhere = "imported"

    // MARK: Where it belongs

    private typealias Origin = (app: String, backend: String, call: String)

    /// The app whose backend's address it begins with, and the call that
    /// method and path are; our own archives tell both.
    private func origin(
        of entry: HAREntry, in workspace: String, _ apps: [App]
    ) -> Origin {
        let told = entry.told
        if let app = services.catalogue.app(told["app"] ?? ""),
            let backend = app.backends.first(where: {
                $0.id == told["backend"]
            })
        {
            return (app.id, backend.id, told["call"] ?? Self.elsewhere)
        }
        let address = entry.request.url.prefix { $0 != "?" && $0 != "#" }
        for app in apps {
            for backend in app.backends {
                guard
                    let base = services.base(
                        ofBackend: backend.id, app: app.id,
                        workspace: workspace),
                    address == base || address.hasPrefix(base + "/")
                else { continue }
                let path = String(address.dropFirst(base.count))
                return (
                    app.id, backend.id,
                    app.call(
                        entry.request.method, path, backend: backend.id)
                        ?? Self.elsewhere
                )
            }
        }
        return (Self.elsewhere, Self.elsewhere, Self.elsewhere)
    }
}

extension App {
    /// The call whose method and path these are; a variable in a path stands
    /// for any one segment.
    fileprivate func call(
        _ method: Method, _ path: String, backend: String
    ) -> String? {
        let names = Set(calls.keys).union(
            backends.first { $0.id == backend }?.calls.keys.map(\.self) ?? [])
        return names.sorted().first { name in
            guard let request = call(name, backend: backend)?.request,
                request.method == method
            else { return false }
            let pattern = request.path.prefix { $0 != "?" }
                .split(separator: "/")
            let parts = path.split(separator: "/")
            return pattern.count == parts.count
                && zip(pattern, parts).allSatisfy {
                    $0 == $1 || $0.contains("{")
                }
        }
    }
}
