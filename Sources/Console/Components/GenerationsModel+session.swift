extension GenerationsModel {
    /// The last generations of a refresh token: those used, the current one,
    /// and the next unless the session has ended.
    init(used: Int, ended: Bool) {
        let shown = min(used, 3)
        let current = used + 1
        let count = shown + 1 + (ended ? 0 : 1)
        let step = count > 1 ? 93.0 / Double(max(count - 1, 2)) : 0
        var dots: [Dot] = []
        for index in 0..<count {
            let place = 3 + step * Double(index)
            let number = current - shown + index
            let kind = number < current ? "used" : number == current ? "current" : "next"
            let label: String? =
                switch kind {
                case "used": number == 1 ? "1 login, used" : nil
                case "current": number == 1 ? "1 login, current" : "\(number) current"
                default: nil
                }
            dots.append(
                Dot(
                    kind: kind, x: Format.oneDecimal(place), radius: kind == "next" ? "3.5" : "5",
                    dotLabel: label, labelX: Format.oneDecimal(max(0, place - 3))))
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
