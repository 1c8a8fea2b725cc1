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

/// A foreground and a background color of an app's style sheets, with their contrast ratios.
package struct ContrastPair: Sendable, Equatable {
    /// As written in the sheet: `var(--on-action)` on `var(--action)`.
    package let foreground: String
    package let background: String
    /// The rules that use the pair, or the reason it is measured.
    package fileprivate(set) var sources: [String]
    /// Without the appearances that the app lacks, or in which a color is unknown.
    package fileprivate(set) var ratios: [Appearance: Double] = [:]

    /// The lowest one.
    package var worstRatio: Double { ratios.values.min() ?? .infinity }
}

extension DesignTokenSet {
    /// The color pairs of the sheets, the lowest ratio first.
    ///
    /// These are: rules that set both colors, from tokens or not; tokens named after their
    /// background (`--on-action` on `--action`); and every other token used as text color, on the
    /// page. `appearances` are those of the app.
    package func contrastPairs(_ appearances: [CustomProperties]) -> [ContrastPair] {
        var pairs: [ContrastPair] = []
        func addPair(_ foreground: String, _ background: String, _ source: String) {
            let index =
                pairs.firstIndex { $0.foreground == foreground && $0.background == background }
                ?? pairs.count
            if index == pairs.count {
                pairs.append(
                    ContrastPair(foreground: foreground, background: background, sources: []))
            }
            if !pairs[index].sources.contains(source) { pairs[index].sources.append(source) }
        }
        var loose: [(name: String, source: String)] = []
        for sheet in sheets.sheets {
            for rule in sheet.styleSheet.rules {
                guard let foreground = rule.value(of: "color") else { continue }
                let source = "\(rule.selector) (\(sheet.fileName):\(rule.line))"
                if let background = rule.value(of: "background", "background-color") {
                    addPair(foreground, background, source)
                } else if let name = CSSText.tokenName(in: foreground) {
                    loose.append((name, source))
                }
            }
        }
        for (name, source) in loose {
            let isNamedAfterBackground = name.hasPrefix("--on-")
            let background = "--" + name.dropFirst("--on-".count)
            if isNamedAfterBackground, self[background] != nil {
                addPair("var(\(name))", "var(\(background))", source)
            } else if !isNamedAfterBackground
                || !pairs.contains(where: { $0.foreground == "var(\(name))" })
            {
                addPair("var(\(name))", "var(--page)", source)
            }
        }
        for index in pairs.indices {
            for properties in appearances {
                pairs[index].ratios[properties.appearance] = ratio(pairs[index], properties)
            }
        }
        return pairs.filter { !$0.ratios.isEmpty }.sorted {
            ($0.worstRatio, $0.foreground) < ($1.worstRatio, $1.foreground)
        }
    }

    /// Nil if a color is unknown or transparent.
    private func ratio(_ pair: ContrastPair, _ properties: CustomProperties) -> Double? {
        guard let foreground = properties.color(pair.foreground),
            let background = properties.color(pair.background), foreground.alpha > 0,
            background.alpha > 0
        else { return nil }
        return Contrast.ratio(
            foreground, on: background, page: properties.color("var(--page)") ?? .white)
    }
}

extension CSSText {
    /// The name of the token if the value is a single `var()` without a fallback.
    fileprivate static func tokenName(in value: String) -> String? {
        guard let (name, inside) = function(value), name == "var", inside.hasPrefix("--"),
            inside.allSatisfy(isNamePart)
        else { return nil }
        return inside
    }
}

extension Color {
    /// The color, mixed with black or on a dark background with white until text in it has the
    /// contrast that WCAG 2.2 requires (1.4.3), with a small reserve.
    package func readable(on background: Color) -> Color {
        let isDark = Contrast.luminance(background) < 0.18
        let target = isDark ? Color.white : Color.black
        for step in 0...20 {
            var mixed = target
            mixed.alpha = Double(step) / 20
            let color = mixed.over(self)
            if Contrast.ratio(color, on: background) >= 4.6 { return color }
        }
        return target
    }
}
