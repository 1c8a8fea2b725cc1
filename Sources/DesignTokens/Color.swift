import Web

/// A color in sRGB with alpha.
///
/// Parses `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()` and `rgba()` with numbers or
/// percentages, with commas or spaces, `hsl()` and `hsla()`, and a few names (CSS Color Module
/// Level 4).
package struct Color: Sendable, Equatable {
    /// 0 … 1.
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double = 1

    static let white = Color(red: 1, green: 1, blue: 1)
    static let black = Color(red: 0, green: 0, blue: 0)

    /// Composites this color over `background`; opaque if `background` is (CSS Compositing Level 1,
    /// 5.1).
    func over(_ background: Color) -> Color {
        func mix(_ top: Double, _ below: Double) -> Double { top * alpha + below * (1 - alpha) }
        return Color(
            red: mix(red, background.red), green: mix(green, background.green),
            blue: mix(blue, background.blue))
    }

    private var bytes: [Int] { [red, green, blue].map { Int(($0 * 255).rounded()) } }

    /// `#rrggbb`, without the alpha.
    package var hex: String {
        "#" + bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// For an attribute: `#rrggbb` or `rgba(…)`.
    package var css: String {
        guard alpha < 1 else { return hex }
        let parts = bytes.map(String.init).joined(separator: ", ")
        return "rgba(\(parts), \((alpha * 1_000).rounded() / 1_000))"
    }
}

// MARK: - Parsing

extension Color {
    private static let names = [
        "transparent": "#0000", "black": "#000", "white": "#fff", "red": "#f00", "green": "#008000",
        "blue": "#00f", "yellow": "#ff0", "orange": "#ffa500", "purple": "#800080",
        "gray": "#808080", "grey": "#808080", "silver": "#c0c0c0", "navy": "#000080",
        "teal": "#008080", "maroon": "#800000", "olive": "#808000", "lime": "#0f0", "aqua": "#0ff",
        "cyan": "#0ff", "fuchsia": "#f0f", "magenta": "#f0f",
    ]

    /// Nil for anything else, including color notations not listed above.
    package init?(_ text: String) {
        let text = text.whitespaceCollapsed.lowercased()
        let literal = Self.names[text] ?? text
        if literal.hasPrefix("#") {
            self.init(hex: literal.dropFirst())
        } else if let (name, inside) = CSSText.function(literal) {
            self.init(name, inside.split { ", /".contains($0) })
        } else {
            return nil
        }
    }

    private init?(hex: Substring) {
        var digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count else { return nil }
        if digits.count == 3 || digits.count == 4 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 || digits.count == 8 else { return nil }
        let parts = stride(from: 0, to: digits.count, by: 2).map {
            Double(digits[$0] * 16 + digits[$0 + 1]) / 255
        }
        self.init(
            red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 1)
    }

    private init?(_ function: String, _ arguments: [Substring]) {
        guard arguments.count == 3 || arguments.count == 4,
            let alpha = arguments.count == 4 ? Self.component(arguments[3], max: 1) : 1
        else { return nil }
        switch function {
        case "rgb", "rgba":
            let parts = arguments.prefix(3).compactMap { Self.component($0, max: 255) }
            guard parts.count == 3 else { return nil }
            self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
        case "hsl", "hsla":
            let angle = arguments[0]
            guard let hue = TokenValue.number(angle.hasSuffix("deg") ? angle.dropLast(3) : angle),
                let saturation = Self.component(arguments[1], max: 100),
                let lightness = Self.component(arguments[2], max: 100)
            else { return nil }
            self.init(hue: hue, saturation: saturation, lightness: lightness, alpha: alpha)
        default: return nil
        }
    }

    /// CSS Color Module Level 4, 7.1.
    private init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
        func channel(_ n: Double) -> Double {
            var k = (n + hue / 30).truncatingRemainder(dividingBy: 12)
            if k < 0 { k += 12 }
            let a = saturation * min(lightness, 1 - lightness)
            return lightness - a * max(-1, min(k - 3, 9 - k, 1))
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
    }

    /// A percentage, or a number up to `maximum`; from 0 to 1.
    private static func component(_ text: Substring, max maximum: Double) -> Double? {
        let isPercentage = text.hasSuffix("%")
        return TokenValue.number(isPercentage ? text.dropLast() : text).map {
            min(1, max(0, $0 / (isPercentage ? 100 : maximum)))
        }
    }
}
