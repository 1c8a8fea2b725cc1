/// The state map: every screen, the ways between them, where one is.
///
/// Two drawings of the same facts: `wide` 704 across with nodes of 92 × 28,
/// `compact` 360 across with nodes of 86 × 28; what is drawn is also said in
/// `spokenScreens`. Coordinates are px of the drawing; a node's row is 56
/// below the one before, the first at y 24, so that a way may run above.
struct ScreenGraphModel: Encodable, Sendable {
    /// The current screen's id.
    var currentScreen: String
    /// `on map for`, `not started`.
    var sinceText: String
    /// `37 s`; empty without `sinceAt`.
    var elapsedText: String
    /// ISO 8601; nil before the first start.
    var sinceAt: String?
    /// What led to the current screen; nil where that is forgotten.
    var sinceURL: String? = nil
    var wide: Drawing
    var compact: Drawing
    var screenDescriptions: [ScreenDescription]

    struct Drawing: Encodable, Sendable {
        var width: Int
        var height: Int
        var nodes: [Node]
        var edges: [Edge]
        var labels: [Label]
    }

    struct Node: Encodable, Sendable {
        var name: String
        var kind: Kind
        var x: Int
        var y: Int
        var w: Int
        var h: Int
        /// Middle of the name: `x + w / 2`.
        var textX: Int
        /// Its base line: `y + 18`.
        var textY: Int
        /// How often it was shown, from 2; nil below.
        var visitCount: String?
        /// Middle of `again`: `x + w - 11`.
        var visitCountX: Int
        /// Of the current node only: 4 px around it.
        var halo: Halo?
    }

    struct Halo: Encodable, Sendable {
        var haloX: Int
        var haloY: Int
        var haloW: Int
        var haloH: Int
    }

    enum Kind: String, Encodable, Sendable { case current, visited, unreached, missed }

    struct Edge: Encodable, Sendable {
        /// SVG path data: orthogonal, corners of 6 to 8, ending 3 before the
        /// node's edge (7 before the current one's, for its halo).
        var d: String
        /// `taken`, `last` (the way that led here), `open` (not taken), or
        /// `missed` (not taken, and asked after).
        var kind: String
        /// Whether an arrowhead stands at its end; a way that joins another
        /// has none.
        var hasArrowhead: Bool
    }

    struct Label: Encodable, Sendable {
        /// Middle of the words and their base line; a label on a line stands
        /// 4 below it.
        var x: Int
        var y: Int
        var text: String
        /// It names the way that led here.
        var isLastTransition: Bool
    }

    struct ScreenDescription: Encodable, Sendable {
        var name: String
        var kind: Kind
        /// How often it was shown: `2`.
        var visitCount: String
        /// `map, current, shown once; leads to settings`.
        var description: String
    }
}
