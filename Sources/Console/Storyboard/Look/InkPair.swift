/// Ink on a ground as an app's sheets have them, and how well it is told from
/// it.
struct InkPair: Sendable, Equatable {
    /// As the sheet has them: `var(--on-action)` on `var(--action)`.
    var ink: String
    var ground: String
    /// The rules that have them, or why they are measured.
    var places: [String]
    /// Nil where the app has no such look, or a colour is not known.
    var light: Double?
    var dark: Double?

    /// The worse of the two.
    var worst: Double { min(light ?? .infinity, dark ?? .infinity) }
}

extension DesignTokens {
    /// Every pair the sheets have, the worst first: rules that set both ink
    /// and ground, from tokens or not; tokens named for the ground they
    /// lie on (`--on-action` on `--action`); and every other token that is
    /// text somewhere, on the page. A look the app does not have is nil.
    func pairs(_ light: Properties?, _ dark: Properties?) -> [InkPair] {
        var pairs: [InkPair] = []
        func note(_ ink: String, _ ground: String, _ place: String) {
            if let index = pairs.firstIndex(where: { $0.ink == ink && $0.ground == ground }) {
                if !pairs[index].places.contains(place) { pairs[index].places.append(place) }
            } else {
                pairs.append(InkPair(ink: ink, ground: ground, places: [place]))
            }
        }
        var loose: [(ink: String, place: String)] = []
        for sheet in sheets.sheets {
            for rule in sheet.sheet.rules {
                guard let ink = rule.last("color")?.value else { continue }
                let place = "\(rule.selector) (\(sheet.file):\(rule.line))"
                let ground = rule.ground?.value
                if let ground {
                    note(ink, ground, place)
                } else if let name = Self.token(ink) {
                    loose.append((name, place))
                }
            }
        }
        for (name, place) in loose {
            let below = "--" + name.dropFirst("--on-".count)
            let lies = name.hasPrefix("--on-") && self[below] != nil
            let isPaired = name.hasPrefix("--on-") && pairs.contains { $0.ink == "var(\(name))" }
            if lies {
                note("var(\(name))", "var(\(below))", place)
            } else if !isPaired {
                note("var(\(name))", "var(--page)", place)
            }
        }
        return pairs.compactMap { measured($0, light, dark) }.sorted {
            ($0.worst, $0.ink) < ($1.worst, $1.ink)
        }
    }

    /// Nil where neither look has both colours.
    private func measured(_ pair: InkPair, _ light: Properties?, _ dark: Properties?) -> InkPair? {
        var pair = pair
        pair.light = light.flatMap { ratio(pair, $0) }
        pair.dark = dark.flatMap { ratio(pair, $0) }
        return pair.light == nil && pair.dark == nil ? nil : pair
    }

    private func ratio(_ pair: InkPair, _ properties: Properties) -> Double? {
        guard let ink = properties.resolved(pair.ink).flatMap(Colour.init),
            let ground = properties.resolved(pair.ground).flatMap(Colour.init), ink.alpha > 0,
            ground.alpha > 0
        else { return nil }
        let page = properties["--page"].flatMap(Colour.init)
        return Contrast.ratio(ink, on: ground, page: page ?? .white)
    }

    /// The token a value is and nothing else.
    private static func token(_ value: String) -> String? {
        guard let (name, inside) = CSSText.function(value), name == "var", inside.hasPrefix("--"),
            inside.allSatisfy(CSSText.isNamePart)
        else { return nil }
        return inside
    }
}

extension StyleSheet.Rule {
    /// The last declaration of `name`, which is the one that counts.
    func last(_ name: String) -> StyleSheet.Declaration? { declarations.last { $0.name == name } }

    /// What it is painted on.
    var ground: StyleSheet.Declaration? {
        declarations.last { $0.name == "background" || $0.name == "background-color" }
    }
}
