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
        let usedCount = min(used, 3)
        let current = used + 1
        let count = usedCount + 1 + (ended ? 0 : 1)
        let step = count > 1 ? 93.0 / Double(max(count - 1, 2)) : 0
        var dots: [Dot] = []
        for index in 0..<count {
            let x = 3 + step * Double(index)
            let number = current - usedCount + index
            let kind = number < current ? "used" : number == current ? "current" : "next"
            let label: String? =
                switch kind {
                case "used": number == 1 ? "#1 sign-in, used" : nil
                case "current": number == 1 ? "#1 sign-in, current" : "#\(number) current"
                default: nil
                }
            dots.append(
                Dot(
                    kind: kind, x: Format.oneDecimal(x), radius: kind == "next" ? "3.5" : "5",
                    dotLabel: label, labelX: Format.oneDecimal(max(0, x - 3))))
        }
        var lines: [Line] = []
        for index in dots.indices.dropFirst() {
            lines.append(
                Line(
                    x1: Format.oneDecimal(3 + step * Double(index - 1) + 3),
                    x2: Format.oneDecimal(3 + step * Double(index) - 3),
                    isDotted: dots[index].kind == "next"))
        }
        self.init(
            summary: ended ? "Last generation: \(current)" : "Current generation: \(current)",
            lines: lines, dots: dots)
    }
}
