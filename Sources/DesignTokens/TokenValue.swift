import Web

/// The parsed value of a token, after `var()` and `light-dark()` are resolved.
package enum TokenValue: Sendable, Equatable {
    case color(Color)
    case length(number: Double, unit: String)
    case number(Double)
    /// Family names in order, without quotes.
    case fonts([String])
    case gradient(Gradient)
    case shadow([Shadow])
    /// Any other value, as written.
    case other(String)

    /// The editor that the value needs.
    package enum Kind: String, Sendable, CaseIterable {
        case color, length, font, gradient, shadow, other
    }

    package var kind: Kind {
        switch self {
        case .color: .color
        case .length: .length
        case .fonts: .font
        case .gradient: .gradient
        case .shadow: .shadow
        case .number, .other: .other
        }
    }

    /// A CSS gradient (CSS Images 3, section 3).
    package struct Gradient: Sendable, Equatable {
        /// `linear` or `radial`.
        package var shape: String
        /// The argument before the stops: `155deg`, `circle at top`.
        package var direction: String?
        package var stops: [Stop]
    }

    /// A color stop of a gradient.
    package struct Stop: Sendable, Equatable {
        package var color: Color
        /// 0 … 1.
        package var position: Double
    }

    /// A CSS `box-shadow` (CSS Backgrounds 3, section 6.1).
    package struct Shadow: Sendable, Equatable {
        var color = Color.black
        /// x, y, blur and spread, in px.
        var lengths: [Double] = []
        var inset = false
    }

    package init(_ text: String) {
        let text = text.whitespaceCollapsed
        self =
            Color(text).map(Self.color) ?? Self.dimension(text)
            ?? Self.gradient(text).map(Self.gradient) ?? Self.shadows(text).map(Self.shadow)
            ?? Self.fonts(text).map(Self.fonts) ?? .other(text)
    }

    /// The length in px on a page of 393 × 852 at the default text size; nil for anything but a
    /// length, or for a unit without a fixed size.
    package var pixels: Double? {
        guard case .length(let number, let unit) = self else { return nil }
        return Self.unitSizes[unit].map { number * $0 }
    }

    /// The size of the units in px, as far as it is fixed.
    private static let unitSizes = [
        "px": 1, "rem": 10, "em": 17, "vw": 3.93, "vh": 8.52, "dvh": 8.52, "svh": 8.52, "lvh": 8.52,
        "pt": 4.0 / 3,
    ]
    private static let otherUnits: Set<String> = ["vmin", "vmax", "ch", "ex", "%"]

    // MARK: Numbers

    /// A number, or one with a unit.
    private static func dimension(_ text: String) -> TokenValue? {
        guard let (number, unit) = parseDimension(text) else { return nil }
        guard !unit.isEmpty else { return .number(number) }
        let isLength = unitSizes[unit] != nil || otherUnits.contains(unit)
        return isLength ? .length(number: number, unit: unit) : .other(text)
    }

    /// A number and its unit, in lower case.
    private static func parseDimension(_ text: String) -> (Double, unit: String)? {
        let number = text.prefix { "+-.0123456789".contains($0) }
        let unit = text.dropFirst(number.count).lowercased()
        guard let value = Self.number(number), unit.allSatisfy({ $0.isLetter || $0 == "%" }) else {
            return nil
        }
        return (value, unit)
    }

    /// A number in CSS notation: no `nan`, no `inf`, nothing that a double rounds to either,
    /// nothing hexadecimal.
    static func number(_ text: Substring) -> Double? {
        var digits = text.hasPrefix("+") ? String(text.dropFirst()) : String(text)
        if digits.hasPrefix(".") { digits = "0" + digits }
        if digits.hasPrefix("-.") { digits = "-0" + digits.dropFirst() }
        guard digits.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }),
            let value = Double(digits), abs(value) < 1e9
        else { return nil }
        return value
    }

    // MARK: Lists

    private static let genericFonts: Set<String> = [
        "sans-serif", "serif", "monospace", "system-ui", "ui-rounded", "ui-serif", "ui-monospace",
        "ui-sans-serif", "cursive",
    ]

    /// A list of font families, one of them generic.
    private static func fonts(_ text: String) -> [String]? {
        let families = CSSText.arguments(text)
        guard families.contains(where: genericFonts.contains) else { return nil }
        return families.map { family in
            var name = family.drop { "\"'".contains($0) }
            while name.hasSuffix("\"") || name.hasSuffix("'") { name.removeLast() }
            return String(name)
        }
    }

    private static func gradient(_ text: String) -> Gradient? {
        guard let (name, inside) = CSSText.function(text),
            let shape = ["linear", "radial"].first(where: { name == "\($0)-gradient" })
        else { return nil }
        var gradient = Gradient(shape: shape, stops: [])
        var stops: [(Color, Double?)] = []
        for (index, argument) in CSSText.arguments(inside).enumerated() {
            let components = CSSText.components(argument)
            guard let color = components.first.flatMap(Color.init) else {
                guard index == 0 else { return nil }
                gradient.direction = argument
                continue
            }
            let positions = components.dropFirst().map(parseDimension)
            guard positions.allSatisfy({ $0?.unit == "%" || $0?.0 == 0 }) else { return nil }
            if positions.isEmpty { stops.append((color, nil)) }
            stops += positions.map { (color, $0.map { $0.0 / 100 }) }
        }
        guard stops.count > 1 else { return nil }
        gradient.stops = distributeStops(stops)
        return gradient
    }

    /// Distributes stops without a position evenly between those with one (CSS Images Level 3,
    /// 3.4.3).
    private static func distributeStops(_ stops: [(Color, Double?)]) -> [Stop] {
        var known = stops.indices.compactMap { index in stops[index].1.map { (index, $0) } }
        if known.first?.0 != 0 { known.insert((0, 0), at: 0) }
        if known.last?.0 != stops.count - 1 { known.append((stops.count - 1, 1)) }
        return stops.enumerated().map { index, stop in
            let (before, from) = known.last { $0.0 <= index } ?? (0, 0)
            let (after, to) = known.first { $0.0 >= index } ?? (0, 0)
            let share = after == before ? 0 : Double(index - before) / Double(after - before)
            return Stop(color: stop.0, position: from + (to - from) * share)
        }
    }

    private static func shadows(_ text: String) -> [Shadow]? {
        let shadows = CSSText.arguments(text).compactMap(shadow)
        return shadows.count == CSSText.arguments(text).count ? shadows : nil
    }

    private static func shadow(_ text: String) -> Shadow? {
        var shadow = Shadow()
        var hasColor = false
        for component in CSSText.components(text) {
            if component == "inset" {
                shadow.inset = true
            } else if let color = Color(component) {
                shadow.color = color
                hasColor = true
            } else if let (number, unit) = parseDimension(component), unit == "px" || number == 0 {
                shadow.lengths.append(number)
            } else {
                return nil
            }
        }
        guard hasColor, (2...4).contains(shadow.lengths.count) else { return nil }
        shadow.lengths += Array(repeating: 0, count: 4 - shadow.lengths.count)
        return shadow
    }
}
