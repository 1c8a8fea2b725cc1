import Glibc

/// The contrast ratio of two colors, as WCAG 2.2 defines it.
///
/// "Relative luminance" and "contrast ratio" are those of its glossary
/// (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio): (L1 + 0.05) / (L2 + 0.05), the lighter
/// first. A translucent color is composited over its background before it is measured.
package enum Contrast {
    /// The contrast of `foreground` on `background` on `page`; a translucent page is composited
    /// over white.
    static func ratio(_ foreground: Color, on background: Color, page: Color = .white) -> Double {
        let backdrop = background.over(page.over(.white))
        let foregroundLuminance = luminance(foreground.over(backdrop))
        let backdropLuminance = luminance(backdrop)
        return (max(foregroundLuminance, backdropLuminance) + 0.05)
            / (min(foregroundLuminance, backdropLuminance) + 0.05)
    }

    static func luminance(_ color: Color) -> Double {
        func linear(_ value: Double) -> Double {
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722
            * linear(color.blue)
    }

    /// What a ratio suffices for (success criteria 1.4.3 and 1.4.6), as the page names it.
    package enum Grade: String, Sendable, CaseIterable {
        /// Below 3: not even large text or graphics.
        case fails = "Fails"
        /// From 3: text of 24 px and more, graphics and edges.
        case aaLarge = "AA for large text only"
        /// From 4.5: any text.
        case aa = "AA"
        /// From 7.
        case aaa = "AAA"

        package init(_ ratio: Double) {
            self =
                switch ratio {
                case 7...: .aaa
                case 4.5...: .aa
                case 3...: .aaLarge
                default: .fails
                }
        }

        /// The tone of a chip.
        package var tone: String {
            switch self {
            case .fails: "bad"
            case .aaLarge: "warn"
            case .aa, .aaa: "ok"
            }
        }
    }

    /// `4.48`; rounded down where rounding up would show a better grade: 4.499 is not 4.5.
    package static func format(_ ratio: Double) -> String {
        var hundredths = Int((ratio * 100).rounded())
        if Grade(Double(hundredths) / 100) != Grade(ratio) { hundredths -= 1 }
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
