/// A comparison of two exchanges (`traffic/diff`).
struct DiffModel: Encodable, Sendable {
    var frame: FrameModel
    var swapURL: String
    /// The old exchange, then the new one.
    var sides: [Side]
    var isUnchanged: Bool
    var sections: [Section]

    struct Side: Encodable, Sendable {
        /// `GET /auth/me`.
        var sideTitle: String
        var sideURL: String
        var at: String
        var time: String
        var status: String
        var statusTone: String
    }

    struct Section: Encodable, Sendable {
        var heading: String
        /// `2 differences, 7 the same`.
        var note: String
        var hasRows: Bool
        var rows: [Row]
    }

    struct Row: Encodable, Sendable {
        var path: String
        /// `added`, `removed`, `changed`.
        var kind: String
        var oldText: String
        var newText: String
        var hasOld: Bool
        var hasNew: Bool
    }
}
