/// A storyboard in one file (`storyboard/export`).
struct ExportModel: Encodable, Sendable {
    var pageTitle: String
    var appName: String
    /// `6 screens, 52 states, 2 of them not reachable`.
    var countText: String
    /// The creation time in ISO 8601, and formatted for display.
    var createdAt: String
    var createdText: String
    /// The size of a frame, in points.
    var width: Int
    var height: Int
    var sections: [Section]
    /// `login leads to map: Login`.
    var edgeDescriptions: [String]

    struct Section: Encodable, Sendable {
        var screenName: String
        var screenTitle: String
        /// From the manifest's walkthrough.
        var note: String?
        var tiles: [Tile]
        var selectors: [String]
    }

    struct Tile: Encodable, Sendable {
        /// `login/failure.login.2`; an anchor in the file.
        var tileID: String
        var stateTitle: String
        var stateName: String
        var description: String
        /// The complete HTML document; nil if the state has no screen.
        var document: String?
        /// Why `document` is nil.
        var failure: RenderStatus.Failure?
        var steps: [String]
    }
}
