/// A foreground and a background color of an app's style sheets, with their contrast ratios.
struct ContrastPair: Sendable, Equatable {
    /// As written in the sheet: `var(--on-action)` on `var(--action)`.
    var foreground: String
    var background: String
    /// The rules that use the pair, or the reason it is measured.
    var sources: [String]
    /// Nil if the app lacks this appearance, or a color is unknown.
    var lightRatio: Double?
    var darkRatio: Double?

    /// The lower of the two.
    var worstRatio: Double { min(lightRatio ?? .infinity, darkRatio ?? .infinity) }
}

extension DesignTokens {
    /// The color pairs of the sheets, the lowest ratio first.
    ///
    /// These are: rules that set both colors, from tokens or not; tokens named after their
    /// background (`--on-action` on `--action`); and every other token used as text color, on the
    /// page. `light` and `dark` are nil if the app lacks that appearance.
    func contrastPairs(light: CustomProperties?, dark: CustomProperties?)
        -> [ContrastPair]
    {
        var pairs: [ContrastPair] = []
        func addPair(_ foreground: String, _ background: String, _ source: String) {
            if let index = pairs.firstIndex(where: {
                $0.foreground == foreground && $0.background == background
            }) {
                if !pairs[index].sources.contains(source) { pairs[index].sources.append(source) }
            } else {
                pairs.append(
                    ContrastPair(foreground: foreground, background: background, sources: [source]))
            }
        }
        var loose: [(name: String, source: String)] = []
        for sheet in sheets.sheets {
            for rule in sheet.styleSheet.rules {
                guard let foreground = rule.lastDeclaration(of: "color")?.value else { continue }
                let source = "\(rule.selector) (\(sheet.fileName):\(rule.line))"
                let background = rule.background?.value
                if let background {
                    addPair(foreground, background, source)
                } else if let name = Self.tokenName(in: foreground) {
                    loose.append((name, source))
                }
            }
        }
        for (name, source) in loose {
            let backgroundToken = "--" + name.dropFirst("--on-".count)
            let hasBackgroundToken = name.hasPrefix("--on-") && self[backgroundToken] != nil
            let isPaired =
                name.hasPrefix("--on-") && pairs.contains { $0.foreground == "var(\(name))" }
            if hasBackgroundToken {
                addPair("var(\(name))", "var(\(backgroundToken))", source)
            } else if !isPaired {
                addPair("var(\(name))", "var(--page)", source)
            }
        }
        return pairs.compactMap { measure($0, light: light, dark: dark) }.sorted {
            ($0.worstRatio, $0.foreground) < ($1.worstRatio, $1.foreground)
        }
    }

    /// Nil if neither appearance resolves both colors.
    private func measure(
        _ pair: ContrastPair, light: CustomProperties?, dark: CustomProperties?
    ) -> ContrastPair? {
        var pair = pair
        pair.lightRatio = light.flatMap { contrastRatio(pair, $0) }
        pair.darkRatio = dark.flatMap { contrastRatio(pair, $0) }
        return pair.lightRatio == nil && pair.darkRatio == nil ? nil : pair
    }

    private func contrastRatio(_ pair: ContrastPair, _ properties: CustomProperties) -> Double? {
        guard let foreground = properties.resolve(pair.foreground).flatMap(Color.init),
            let background = properties.resolve(pair.background).flatMap(Color.init),
            foreground.alpha > 0,
            background.alpha > 0
        else { return nil }
        let page = properties["--page"].flatMap(Color.init)
        return Contrast.ratio(foreground, on: background, page: page ?? .white)
    }

    /// The name of the token if the value is a single `var()`.
    private static func tokenName(in value: String) -> String? {
        guard let (name, inside) = CSSValueText.function(value), name == "var",
            inside.hasPrefix("--"),
            inside.allSatisfy(CSSValueText.isNamePart)
        else { return nil }
        return inside
    }
}

extension StyleSheet.Rule {
    /// The last declaration of `name`, which takes precedence.
    func lastDeclaration(of name: String) -> StyleSheet.Declaration? {
        declarations.last { $0.name == name }
    }

    /// The declaration of the background color.
    var background: StyleSheet.Declaration? {
        declarations.last { $0.name == "background" || $0.name == "background-color" }
    }
}
