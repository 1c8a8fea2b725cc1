import Web

/// The URLs of an app's studio: on this browser's device, on another one, or on two side by side.
struct StudioLinks: Sendable {
    let app: String
    /// Nil for this browser's device.
    var device: String?
    /// The second of two devices side by side.
    var secondDevice: String?

    /// Query parameters of these URLs.
    static let parameterNames = ["device", "beside"]

    /// The studio.
    var page: String { self(Links.studio) }

    /// A page or form of the studio; `parameters` are those of its path after the app.
    func callAsFunction(
        _ path: PagePath, _ parameters: String..., query: [(String, String?)] = []
    ) -> String {
        let path = parameters.first.map { path(app, $0) } ?? path(app)
        return Links.url(path, query + [("device", device), ("beside", secondDevice)])
    }

    /// Asks for confirmation before restoring the app on the device to an event.
    func restore(event: Int64) -> String {
        self(Links.restorePoint, query: [("event", String(event))])
    }
}
