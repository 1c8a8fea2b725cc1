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
