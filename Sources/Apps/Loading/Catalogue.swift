/// The apps of one or more folders, read again when they change.
///
/// A broken manifest is listed with its error and harms no other.
package final class Catalogue: Sendable {
    /// Folders that hold one folder per app, in order of precedence.
    package init(folders: [String]) { preconditionFailure("not built yet") }

    /// Every app and every broken one, by order and then name. Cheap: files
    /// are looked at again at most five times a second.
    package func entries() -> [Entry] { preconditionFailure("not built yet") }

    package func app(_ id: String) -> App? {
        preconditionFailure("not built yet")
    }

    package enum Entry: Sendable {
        case app(App)
        case broken(id: String, ManifestError)
    }
}
