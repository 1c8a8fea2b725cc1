/// A storyboard in one file (`storyboard/export`).
struct ExportModel: Encodable, Sendable {
    var pageTitle: String
    var appName: String
    /// `6 screens, 52 states, 2 of them not reachable`.
    var countText: String
    /// When it was made, ISO 8601 and for people.
    var createdAt: String
    var createdText: String
    /// Of a frame, in points.
    var width: Int
    var height: Int
    var sections: [Section]
    /// `login leads to map: Login`.
    var edgeDescriptions: [String]

    struct Section: Encodable, Sendable {
        var screenName: String
        var screenTitle: String
        /// The walkthrough's.
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
        /// The whole document; nil where there is none.
        var document: String?
        /// Why there is none.
        var failure: RenderStatus.Failure?
        var steps: [String]
    }
}
