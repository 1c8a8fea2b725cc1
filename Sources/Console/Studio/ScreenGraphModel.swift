/// The screen graph: every screen, the transitions between them, and the current screen.
///
/// Two drawings of the same graph: `wide` is 704 px across with nodes of 92 × 28, `compact` 360 px
/// with nodes of 86 × 28. `screenDescriptions` repeats them as text. Coordinates are px of the
/// drawing; rows are 56 px apart, the first at y 24, so that an edge can pass above.
struct ScreenGraphModel: Encodable, Sendable {
    /// The id of the current screen.
    var currentScreen: String
    /// `on map for`, `not started`.
    var sinceText: String
    /// `37 s`; empty without `sinceAt`.
    var elapsedText: String
    /// ISO 8601; nil before the first launch.
    var sinceAt: String?
    /// The event that led to the current screen; nil if it was deleted.
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
        /// The center of the name: `x + w / 2`.
        var textX: Int
        /// The baseline of the name: `y + 18`.
        var textY: Int
        /// How often it was shown, if more than once.
        var visitCount: String?
        /// The center of `visitCount`: `x + w - 11`.
        var visitCountX: Int
        /// For the current node only: 4 px around it.
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
        /// SVG path data: orthogonal, with corners of radius 6, ending 3 px before the node's
        /// border (7 before the current node's, for its halo).
        var d: String
        /// `taken`, `last` (the edge that led to the current screen), `open` (not traversed), or
        /// `missed` (not traversed in a coverage map).
        var kind: String
        /// Whether it has an arrowhead at its end; an edge that joins another has none.
        var hasArrowhead: Bool
    }

    struct Label: Encodable, Sendable {
        /// The center and baseline of the text; a label on a line is 4 px below it.
        var x: Int
        var y: Int
        var text: String
        /// Whether it labels the edge that led to the current screen.
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
