/// What a token's value is, once `var()` and `light-dark()` are filled in.
enum TokenValue: Sendable, Equatable {
    case color(Color)
    case length(number: Double, unit: String)
    case number(Double)
    /// Family names in order, without quotes.
    case fonts([String])
    case gradient(Gradient)
    case shadow([Shadow])
    /// Whatever else it is: shown as it was written.
    case other(String)

    enum Kind: String, Sendable, CaseIterable {
        case color = "colour"
        case length, font, gradient, shadow, other
    }

    var kind: Kind {
        switch self {
        case .color: .color
        case .length: .length
        case .fonts: .font
        case .gradient: .gradient
        case .shadow: .shadow
        case .number, .other: .other
        }
    }

    struct Gradient: Sendable, Equatable {
        /// `linear` or `radial`.
        var shape: String
        /// What stands before the stops: `155deg`, `circle at top`.
        var direction: String?
        var stops: [Stop]
    }

    struct Stop: Sendable, Equatable {
        var color: Color
        /// 0 … 1.
        var position: Double
    }

    struct Shadow: Sendable, Equatable {
        var color: Color
        /// x, y, blur and spread, in px.
        var lengths: [Double]
        var inset: Bool
    }

    init(_ text: String) {
        let text = text.whitespaceCollapsed
        if let color = Color(text) {
            self = .color(color)
        } else if let (number, unit) = Self.parseDimension(text) {
            self =
                unit.isEmpty
                ? .number(number)
                : Self.lengthUnits.contains(unit)
                    ? .length(number: number, unit: unit) : .other(text)
        } else if let gradient = Self.gradient(text) {
            self = .gradient(gradient)
        } else if let shadows = Self.shadows(text) {
            self = .shadow(shadows)
        } else if let fonts = Self.fonts(text) {
            self = .fonts(fonts)
        } else {
            self = .other(text)
        }
    }

    private static let lengthUnits: Set<String> = [
        "px", "rem", "em", "vh", "vw", "dvh", "svh", "lvh", "vmin", "vmax", "ch", "ex", "pt", "%",
    ]

    /// A number and its unit, in small letters.
    static func parseDimension(_ text: String) -> (Double, unit: String)? {
        let number = text.prefix { "+-.0123456789".contains($0) }
        let unit = text.dropFirst(number.count).lowercased()
        guard let value = Self.number(number), unit.allSatisfy({ $0.isLetter || $0 == "%" }) else {
            return nil
        }
        return (value, unit)
    }

    /// A number as a sheet writes it: no `nan`, no `inf`, nothing that a
    /// double rounds to either, nothing hexadecimal.
    static func number(_ text: some StringProtocol) -> Double? {
        var digits = String(text)
        if digits.hasPrefix("+") { digits.removeFirst() }
        if digits.hasPrefix(".") { digits = "0" + digits }
        if digits.hasPrefix("-.") { digits = "-0" + digits.dropFirst() }
        guard digits.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }),
            let value = Double(digits), abs(value) < 1e9
        else { return nil }
        return value
    }

    /// How long it is on a page of 390 × 844 whose text is at its usual size;
    /// nil for what is no length or cannot be drawn.
    var pixels: Double? {
        guard case .length(let number, let unit) = self else { return nil }
        return switch unit {
        case "px": number
        case "rem": number * 10
        case "em": number * 17
        case "vw": number * 3.9
        case "vh", "dvh", "svh", "lvh": number * 8.44
        case "pt": number * 4 / 3
        default: nil
        }
    }

    // MARK: Reading

    private static func fonts(_ text: String) -> [String]? {
        let families = CSSValueText.arguments(text)
        let known: Set<String> = [
            "sans-serif", "serif", "monospace", "system-ui", "ui-rounded", "ui-serif",
            "ui-monospace", "ui-sans-serif", "cursive",
        ]
        guard families.count > 1 || known.contains(families[0]),
            families.contains(where: known.contains)
        else { return nil }
        return families.map { family in
            String(
                family.drop { "\"'".contains($0) }.reversed().drop { "\"'".contains($0) }.reversed()
            )
        }
    }

    private static func gradient(_ text: String) -> Gradient? {
        guard let (name, inside) = CSSValueText.function(text),
            let shape = ["linear", "radial"].first(where: { name == "\($0)-gradient" })
        else { return nil }
        var arguments = CSSValueText.arguments(inside)
        var direction: String?
        if let first = arguments.first,
            CSSValueText.components(first).first.flatMap(Color.init) == nil
        {
            direction = first
            arguments.removeFirst()
        }
        var stops: [(Color, Double?)] = []
        for argument in arguments {
            let words = CSSValueText.components(argument)
            guard let color = words.first.flatMap(Color.init) else { return nil }
            let places = words.dropFirst().map(parseDimension)
            guard places.allSatisfy({ $0?.unit == "%" || $0?.0 == 0 }) else { return nil }
            if places.isEmpty { stops.append((color, nil)) }
            stops += places.map { (color, $0.map { $0.0 / 100 }) }
        }
        guard stops.count > 1 else { return nil }
        return Gradient(shape: shape, direction: direction, stops: distributeStops(stops))
    }

    /// Stops without a place stand evenly between those with one (CSS Images
    /// Level 3, 3.4.3).
    private static func distributeStops(_ stops: [(Color, Double?)]) -> [Stop] {
        var places = stops.map(\.1)
        places[0] = places[0] ?? 0
        places[places.count - 1] = places[places.count - 1] ?? 1
        var known = 0
        for (index, place) in places.enumerated() {
            guard let place else { continue }
            let from = places[known] ?? 0
            for between in known + 1..<max(index, known + 1) {
                places[between] =
                    from + (place - from) * Double(between - known) / Double(index - known)
            }
            known = index
        }
        return zip(stops, places).map { Stop(color: $0.0, position: $1 ?? 0) }
    }

    private static func shadows(_ text: String) -> [Shadow]? {
        var shadows: [Shadow] = []
        for argument in CSSValueText.arguments(text) {
            var shadow = Shadow(color: .black, lengths: [], inset: false)
            var isPainted = false
            for word in CSSValueText.components(argument) {
                if word == "inset" {
                    shadow.inset = true
                } else if let color = Color(word) {
                    shadow.color = color
                    isPainted = true
                } else if let (number, unit) = parseDimension(word), unit == "px" || number == 0 {
                    shadow.lengths.append(number)
                } else {
                    return nil
                }
            }
            guard isPainted, (2...4).contains(shadow.lengths.count) else { return nil }
            shadow.lengths += Array(repeating: 0, count: 4 - shadow.lengths.count)
            shadows.append(shadow)
        }
        return shadows.isEmpty ? nil : shadows
    }
}
