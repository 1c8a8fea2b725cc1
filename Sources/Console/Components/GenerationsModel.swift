import Web

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
        /// `#1 sign-in, used`; nil for a dot without a label.
        var dotLabel: String?
        /// The x coordinate of `dotLabel`.
        var labelX: String
    }
}

extension GenerationsModel {
    /// The latest generations of a refresh token: up to three used ones, the current one and,
    /// unless the session has ended, the next.
    init(used: Int, ended: Bool) {
        let current = used + 1
        let first = current - min(used, 3)
        let last = ended ? current : current + 1
        let step = 93.0 / Double(max(last - first, 2))
        func x(_ number: Int) -> Double { 3 + step * Double(number - first) }
        summary = "\(ended ? "Last" : "Current") generation: \(current)"
        lines = (first..<last).map { number in
            Line(
                x1: Format.oneDecimal(x(number) + 3), x2: Format.oneDecimal(x(number + 1) - 3),
                isDotted: number == current)
        }
        dots = (first...last).map { number in
            let kind = number < current ? "used" : number == current ? "current" : "next"
            return Dot(
                kind: kind, x: Format.oneDecimal(x(number)), radius: kind == "next" ? "3.5" : "5",
                dotLabel: number == 1
                    ? "#1 sign-in, \(kind)" : number == current ? "#\(number) current" : nil,
                labelX: Format.oneDecimal(max(0, x(number) - 3)))
        }
    }
}
