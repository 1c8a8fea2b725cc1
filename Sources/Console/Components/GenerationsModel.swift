/// A refresh token's generations as a line of dots.
///
/// Horizontal places are per cent of the drawing's width, 0 to 100, so that
/// it stretches without scaling. Dots from 3 to 96: the used ones (`r` 5),
/// the current one (`r` 5), the next (`r` 3.5). Lines leave 3 per cent beside
/// a dot.
struct GenerationsModel: Encodable, Sendable {
    /// The whole in words.
    var summary: String
    var lines: [Line]
    var dots: [Dot]

    struct Line: Encodable, Sendable {
        var x1: String
        var x2: String
        /// Dotted: towards the generation that does not exist yet.
        var isDotted: Bool
    }

    struct Dot: Encodable, Sendable {
        /// `used`, `current` or `next`.
        var kind: String
        var x: String
        var radius: String
        /// `1 login, used`; nil leaves the dot without words.
        var dotLabel: String?
        /// Where `dotLabel` begins.
        var labelX: String
    }
}
