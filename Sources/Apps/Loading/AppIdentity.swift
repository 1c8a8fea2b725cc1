import Web

/// What the console shows of an app whose manifest has errors: what can still be read of its name
/// and look, else those of its last valid manifest.
package struct AppIdentity: Sendable, Equatable {
    package var name: String?
    package var order: Int?
    package var look: App.Look?

    init() {}

    init(_ app: App) { (name, order, look) = (app.name, app.order, app.look) }

    /// What can be read of a manifest.
    init(_ document: JSON5Document) {
        let record = ManifestRecord(file: "", document: document, contracts: nil)
        let root = ManifestNode(path: [], value: document.json, record: record)
        if case .string(let text)? = root["name"]?.value { name = text.nonEmpty }
        order = root["order"].flatMap { try? $0.int(in: 0...10_000) }
        let name = name ?? ""
        look = root["look"].flatMap { node in
            node.read(or: nil) { try App.Look($0, name: name) }
        }
    }

    /// With the other's values in place of missing ones.
    func completed(by other: AppIdentity) -> AppIdentity {
        var identity = self
        identity.name = name ?? other.name
        identity.order = order ?? other.order
        identity.look = look ?? other.look
        return identity
    }
}
