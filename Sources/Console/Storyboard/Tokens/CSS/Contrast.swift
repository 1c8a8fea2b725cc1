import Glibc

/// How well ink is told from its ground, as WCAG 2.2 measures it.
///
/// "Relative luminance" and "contrast ratio" are those of its glossary
/// (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio): (L1 + 0.05) /
/// (L2 + 0.05), the lighter first. A colour that is not opaque is painted over
/// what lies behind it before it is measured.
enum Contrast {
    /// `ink` on `ground` on `page`; a page that is not opaque lies on white.
    static func ratio(_ ink: Color, on ground: Color, page: Color = .white) -> Double {
        let below = ground.over(page.over(.white))
        let one = luminance(ink.over(below))
        let other = luminance(below)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    static func luminance(_ color: Color) -> Double {
        func linear(_ value: Double) -> Double {
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722
            * linear(color.blue)
    }

    /// What a ratio is enough for (success criteria 1.4.3 and 1.4.6).
    enum Grade: String, Sendable, CaseIterable {
        /// Below 3: not even for large text or marks.
        case fails
        /// From 3: text of 24 px and more, marks and edges.
        case aaLarge = "large"
        /// From 4.5: any text.
        case aa = "enough"
        /// From 7.
        case aaa = "enhanced"

        init(_ ratio: Double) {
            self =
                switch ratio {
                case 7...: .aaa
                case 4.5...: .aa
                case 3...: .aaLarge
                default: .fails
                }
        }

        var label: String {
            switch self {
            case .fails: "Fails"
            case .aaLarge: "AA for large text only"
            case .aa: "AA"
            case .aaa: "AAA"
            }
        }

        /// A chip's.
        var tone: String {
            switch self {
            case .fails: "bad"
            case .aaLarge: "warn"
            case .aa, .aaa: "ok"
            }
        }
    }

    /// `4.48`; cut where rounding would show what is not reached: 4.499 does
    /// not pass for 4.5.
    static func format(_ ratio: Double) -> String {
        var hundredths = Int((ratio * 100).rounded())
        if Grade(Double(hundredths) / 100) != Grade(ratio) { hundredths -= 1 }
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
