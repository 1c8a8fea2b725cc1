/// Ink on a ground as an app's sheets have them, and how well it is told from
/// it.
struct ContrastPair: Sendable, Equatable {
    /// As the sheet has them: `var(--on-action)` on `var(--action)`.
    var foreground: String
    var background: String
    /// The rules that have them, or why they are measured.
    var sources: [String]
    /// Nil where the app has no such look, or a colour is not known.
    var lightRatio: Double?
    var darkRatio: Double?

    /// The worse of the two.
    var worstRatio: Double { min(lightRatio ?? .infinity, darkRatio ?? .infinity) }
}

extension DesignTokens {
    /// Every pair the sheets have, the worst first: rules that set both ink
    /// and ground, from tokens or not; tokens named for the ground they
    /// lie on (`--on-action` on `--action`); and every other token that is
    /// text somewhere, on the page. A look the app does not have is nil.
    func contrastPairs(light: CustomProperties?, dark: CustomProperties?)
        -> [ContrastPair]
    {
        var pairs: [ContrastPair] = []
        func note(_ ink: String, _ ground: String, _ place: String) {
            if let index = pairs.firstIndex(where: {
                $0.foreground == ink && $0.background == ground
            }) {
                if !pairs[index].sources.contains(place) { pairs[index].sources.append(place) }
            } else {
                pairs.append(ContrastPair(foreground: ink, background: ground, sources: [place]))
            }
        }
        var loose: [(ink: String, place: String)] = []
        for sheet in sheets.sheets {
            for rule in sheet.styleSheet.rules {
                guard let ink = rule.lastDeclaration(of: "color")?.value else { continue }
                let place = "\(rule.selector) (\(sheet.fileName):\(rule.line))"
                let ground = rule.background?.value
                if let ground {
                    note(ink, ground, place)
                } else if let name = Self.tokenName(in: ink) {
                    loose.append((name, place))
                }
            }
        }
        for (name, place) in loose {
            let below = "--" + name.dropFirst("--on-".count)
            let lies = name.hasPrefix("--on-") && self[below] != nil
            let isPaired =
                name.hasPrefix("--on-") && pairs.contains { $0.foreground == "var(\(name))" }
            if lies {
                note("var(\(name))", "var(\(below))", place)
            } else if !isPaired {
                note("var(\(name))", "var(--page)", place)
            }
        }
        return pairs.compactMap { measure($0, light: light, dark: dark) }.sorted {
            ($0.worstRatio, $0.foreground) < ($1.worstRatio, $1.foreground)
        }
    }

    /// Nil where neither look has both colours.
    private func measure(
        _ pair: ContrastPair, light: CustomProperties?, dark: CustomProperties?
    ) -> ContrastPair? {
        var pair = pair
        pair.lightRatio = light.flatMap { contrastRatio(pair, $0) }
        pair.darkRatio = dark.flatMap { contrastRatio(pair, $0) }
        return pair.lightRatio == nil && pair.darkRatio == nil ? nil : pair
    }

    private func contrastRatio(_ pair: ContrastPair, _ properties: CustomProperties) -> Double? {
        guard let ink = properties.resolve(pair.foreground).flatMap(Color.init),
            let ground = properties.resolve(pair.background).flatMap(Color.init), ink.alpha > 0,
            ground.alpha > 0
        else { return nil }
        let page = properties["--page"].flatMap(Color.init)
        return Contrast.ratio(ink, on: ground, page: page ?? .white)
    }

    /// The token a value is and nothing else.
    private static func tokenName(in value: String) -> String? {
        guard let (name, inside) = CSSValueText.function(value), name == "var",
            inside.hasPrefix("--"),
            inside.allSatisfy(CSSValueText.isNamePart)
        else { return nil }
        return inside
    }
}

extension StyleSheet.Rule {
    /// The last declaration of `name`, which is the one that counts.
    func lastDeclaration(of name: String) -> StyleSheet.Declaration? {
        declarations.last { $0.name == name }
    }

    /// What it is painted on.
    var background: StyleSheet.Declaration? {
        declarations.last { $0.name == "background" || $0.name == "background-color" }
    }
}
