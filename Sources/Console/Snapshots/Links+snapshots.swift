extension Links {
    static let snapshots = "/snapshots"

    static func snapshots(of app: String?) -> String { url(snapshots, [("app", app)]) }

    static func snapshot(_ id: String, _ action: String) -> String { "/snapshots/\(id)/\(action)" }

    /// Asks for confirmation before restoring an app on this device to an event.
    static func restore(_ app: String, event: Int64) -> String {
        url(studio(app, "restore"), [("event", String(event))])
    }
}
