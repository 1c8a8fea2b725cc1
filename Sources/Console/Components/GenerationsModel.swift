/// A refresh token's generations as a line of dots.
///
/// X coordinates are percentages of the drawing's width, 0 to 100, so that it stretches without
/// scaling. Dots are at 3 to 96: used ones and the current one with `r` 5, the next with `r` 3.5.
/// Lines leave 3 percent beside a dot.
struct GenerationsModel: Encodable, Sendable {
    /// The drawing's description.
    var summary: String
    var lines: [Line]
    var dots: [Dot]

    struct Line: Encodable, Sendable {
        var x1: String
        var x2: String
        /// Whether it leads to the generation that does not exist yet.
        var isDotted: Bool
    }

    struct Dot: Encodable, Sendable {
        /// `used`, `current` or `next`.
        var kind: String
        var x: String
        var radius: String
        /// `1 login, used`; nil for a dot without a label.
        var dotLabel: String?
        /// The x coordinate of `dotLabel`.
        var labelX: String
    }
}
