extension Links {
    static let snapshots = "/snapshots"

    static func snapshots(of app: String?) -> String { url(snapshots, [("app", app)]) }

    static func snapshot(_ id: String, _ act: String) -> String { "/snapshots/\(id)/\(act)" }

    /// Asks whether to put an app on this device back to an event.
    static func restore(_ app: String, event: Int64) -> String {
        url(studio(app, "restore"), [("event", String(event))])
    }
}
