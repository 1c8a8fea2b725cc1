import Inspection
import Web

/// The parsed value of a token, after `var()` and `light-dark()` are resolved.
enum TokenValue: Sendable, Equatable {
    case color(Color)
    case length(number: Double, unit: String)
    case number(Double)
    /// Family names in order, without quotes.
    case fonts([String])
    case gradient(Gradient)
    case shadow([Shadow])
    /// Any other value, as written.
    case other(String)

    enum Kind: String, Sendable, CaseIterable {
        case color
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
        /// The argument before the stops: `155deg`, `circle at top`.
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

    /// A number and its unit, in lower case.
    static func parseDimension(_ text: String) -> (Double, unit: String)? {
        let number = text.prefix { "+-.0123456789".contains($0) }
        let unit = text.dropFirst(number.count).lowercased()
        guard let value = Self.number(number), unit.allSatisfy({ $0.isLetter || $0 == "%" }) else {
            return nil
        }
        return (value, unit)
    }

    /// A number in CSS notation: no `nan`, no `inf`, nothing that a double rounds to either,
    /// nothing hexadecimal.
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

    /// The length in px on a page of 390 × 844 at the default text size; nil for anything but a
    /// length, or for a unit without a fixed size.
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

    // MARK: Parsing

    private static func fonts(_ text: String) -> [String]? {
        let families = CSSValueText.arguments(text)
        let keywords: Set<String> = [
            "sans-serif", "serif", "monospace", "system-ui", "ui-rounded", "ui-serif",
            "ui-monospace", "ui-sans-serif", "cursive",
        ]
        guard families.count > 1 || keywords.contains(families[0]),
            families.contains(where: keywords.contains)
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
            let components = CSSValueText.components(argument)
            guard let color = components.first.flatMap(Color.init) else { return nil }
            let positions = components.dropFirst().map(parseDimension)
            guard positions.allSatisfy({ $0?.unit == "%" || $0?.0 == 0 }) else { return nil }
            if positions.isEmpty { stops.append((color, nil)) }
            stops += positions.map { (color, $0.map { $0.0 / 100 }) }
        }
        guard stops.count > 1 else { return nil }
        return Gradient(shape: shape, direction: direction, stops: distributeStops(stops))
    }

    /// Distributes stops without a position evenly between those with one (CSS Images Level 3,
    /// 3.4.3).
    private static func distributeStops(_ stops: [(Color, Double?)]) -> [Stop] {
        var positions = stops.map(\.1)
        positions[0] = positions[0] ?? 0
        positions[positions.count - 1] = positions[positions.count - 1] ?? 1
        var lastKnown = 0
        for (index, position) in positions.enumerated() {
            guard let position else { continue }
            let from = positions[lastKnown] ?? 0
            for missing in lastKnown + 1..<max(index, lastKnown + 1) {
                positions[missing] =
                    from + (position - from) * Double(missing - lastKnown)
                    / Double(index - lastKnown)
            }
            lastKnown = index
        }
        return zip(stops, positions).map { Stop(color: $0.0, position: $1 ?? 0) }
    }

    private static func shadows(_ text: String) -> [Shadow]? {
        var shadows: [Shadow] = []
        for argument in CSSValueText.arguments(text) {
            var shadow = Shadow(color: .black, lengths: [], inset: false)
            var hasColor = false
            for component in CSSValueText.components(argument) {
                if component == "inset" {
                    shadow.inset = true
                } else if let color = Color(component) {
                    shadow.color = color
                    hasColor = true
                } else if let (number, unit) = parseDimension(component),
                    unit == "px" || number == 0
                {
                    shadow.lengths.append(number)
                } else {
                    return nil
                }
            }
            guard hasColor, (2...4).contains(shadow.lengths.count) else { return nil }
            shadow.lengths += Array(repeating: 0, count: 4 - shadow.lengths.count)
            shadows.append(shadow)
        }
        return shadows.isEmpty ? nil : shadows
    }
}
