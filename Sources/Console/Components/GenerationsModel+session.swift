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
                case "used": number == 1 ? "1 login, used" : nil
                case "current": number == 1 ? "1 login, current" : "\(number) current"
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
            summary: ended
                ? "Generation \(current), the last"
                : "Generation \(current) of this sign-in is current", lines: lines, dots: dots)
    }
}
