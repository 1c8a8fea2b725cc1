import Apps
import DesignTokens
import Templates
import Web

/// Builds the page of an app's design tokens (`storyboard/designtokens`): their values, the
/// contrast of its color pairs, and fields to edit them.
struct DesignTokensBuilder {
    let services: Services
    let app: App
    let tokens: DesignTokenSet
    /// Validation errors by token name.
    let errors: [String: String]
    /// The submitted values, shown in the fields even if rejected.
    let enteredValues: [String: String]
    let note: ChipModel?

    /// The longest bar drawn for a length, in px.
    private static let maxBarWidth = 320.0

    func build() -> Page {
        let properties = app.tokenAppearances.map(tokens.properties)
        let pairs = tokens.contrastPairs(properties)
        let url = Links.designTokens(app.id)
        let failing = pairs.count { $0.worstRatio < 4.5 }
        let links = [
            "page": url, "preview": Links.previewDesignTokens(app.id),
            "css": Links.designTokensCSS(app.id), "json": Links.designTokensJSON(app.id),
        ]
        return Page(
            .tokens, of: app, services, url: url, script: "design-tokens.js",
            [
                "summaryText": Format.count(tokens.tokens.count, "token") + ", "
                    + Format.count(failing, "pair") + " below AA", "links": links,
                "digest": tokens.sheets.digest, "saveTarget": saveTarget, "note": note,
                "groups": makeGroups(properties),
                "pairsText": failing == 0
                    ? "All \(pairs.count) pairs meet AA."
                    : "\(failing) of \(pairs.count) pairs below AA, listed first.",
                "pairs": pairs.map { makePair($0, properties) },
                "appearances": app.tokenAppearances.map(\.rawValue.capitalizedFirst),
                "frames": screenFrames, "unreadable": tokens.sheets.unreadable,
            ])
    }

    /// `Public/apps/atlas/app.css`, followed by the app's other files that declare tokens; nil if
    /// there is no file to save to.
    private var saveTarget: String? {
        guard let main = tokens.sheets.mainSheet else { return nil }
        let others = tokens.sheets.sheets.filter { sheet in
            sheet.isAppOwned && sheet.displayPath != main.displayPath
                && tokens.tokens.contains { $0.file == sheet.displayPath }
        }
        return ([main.displayPath] + others.map(\.fileName)).joined(separator: ", ")
    }

    // MARK: Tokens

    private func makeGroups(_ properties: [CustomProperties]) -> [TemplateModel] {
        var tokensByKind: [TokenValue.Kind: [TemplateModel]] = [:]
        for token in tokens.tokens {
            let values = properties.compactMap { properties in
                properties[token.name].map { (properties.appearance, TokenValue($0)) }
            }
            tokensByKind[values.first?.1.kind ?? .other, default: []].append(
                makeToken(token, values))
        }
        let groupNames: [(TokenValue.Kind, String)] = [
            (.color, "Colors"), (.length, "Sizes"), (.font, "Type"), (.gradient, "Gradients"),
            (.shadow, "Shadows"), (.other, "Other"),
        ]
        return groupNames.compactMap { kind, name in
            tokensByKind[kind].map {
                [
                    "groupID": kind.rawValue, "groupName": name,
                    "groupCount": Format.count($0.count), "tokens": $0,
                ]
            }
        }
    }

    private func makeToken(_ token: DesignToken, _ values: [(Appearance, TokenValue)])
        -> TemplateModel
    {
        let id = String(token.name.dropFirst(2))
        let value = token.value.whitespaceCollapsed
        let savedValue = token.savedValue.whitespaceCollapsed
        let enteredValue = enteredValues[token.name] ?? value
        // Whether both appearances have the same value.
        let isShared = values.count < 2 || values[0].1 == values[1].1
        var swatches: [TemplateModel] = []
        var gradients: [TemplateModel] = []
        var barWidth: Double?
        var fontFamily: String?
        for (appearance, tokenValue) in isShared ? values.prefix(1) : values[...] {
            switch tokenValue {
            case .color(let color):
                swatches.append(
                    ["appearance": appearance.rawValue, "fill": color.css, "hex": color.hex])
            case .length:
                barWidth = tokenValue.pixels.map {
                    min(Self.maxBarWidth, max(0, $0)).roundedToThousandths
                }
            case .fonts: fontFamily = value.contains("var(") ? "inherit" : value
            case .gradient(let gradient):
                let stops = gradient.stops.map { stop -> TemplateModel in
                    ["offset": stop.position.roundedToThousandths, "color": stop.color.css]
                }
                gradients.append([
                    "gradientID": "gradient-\(id)-\(appearance.rawValue)",
                    "isRadial": gradient.shape == "radial", "gradientStops": stops,
                ])
            case .number, .shadow, .other: break
            }
        }
        return [
            "token": token, "tokenID": id, "value": value, "savedValue": savedValue,
            "fileName": token.file.split(separator: "/").last.map(String.init) ?? "",
            "isEditable": tokens.canEdit(token), "fieldValue": enteredValue,
            "fieldError": errors[token.name], "isEdited": enteredValue != savedValue,
            "isShared": isShared, "swatches": swatches, "barWidth": barWidth,
            "fontFamily": fontFamily, "gradients": gradients,
            "usesText": token.uses.isEmpty ? "Not used" : Format.count(token.uses.count, "use"),
        ]
    }

    // MARK: Contrast

    private func makePair(_ pair: ContrastPair, _ properties: [CustomProperties]) -> TemplateModel {
        // A sample in the appearance with the lower contrast.
        let worst = properties.first { pair.ratios[$0.appearance] == pair.worstRatio }
        let ratios = app.tokenAppearances.map { appearance -> TemplateModel in
            let ratio = pair.ratios[appearance]
            let grade = ratio.map(Contrast.Grade.init)
            return [
                "appearance": appearance.rawValue, "ratio": ratio.map(Contrast.format),
                "grade": grade?.rawValue, "tone": grade?.tone,
            ]
        }
        return [
            "foreground": pair.foreground, "background": pair.background,
            "foregroundName": ContrastPair.displayName(of: pair.foreground),
            "backgroundName": ContrastPair.displayName(of: pair.background), "ratios": ratios,
            "sampleForeground": worst?.color(pair.foreground)?.css ?? "none",
            "sampleBackground": worst?.color(pair.background)?.css ?? "none",
            "firstSource": pair.sources[0], "allSources": pair.sources.joined(separator: "\n"),
        ]
    }

    // MARK: Screens

    /// Every screen in its default state, in each appearance of the app.
    private var screenFrames: [TemplateModel] {
        let appearances = app.appearance == .system ? ["light", "dark"] : [nil]
        return app.screens.flatMap { screen in
            appearances.map { app.previewFrame(of: screen.id, appearance: $0) }
        }
    }
}

extension App {
    /// The appearances its style sheets have values for.
    var tokenAppearances: [DesignTokens.Appearance] {
        DesignTokens.Appearance.allCases.filter {
            appearance == .system || appearance.rawValue == $0.rawValue
        }
    }
}

extension ContrastPair {
    /// `--ink` for `var(--ink)`; other values unchanged.
    static func displayName(of value: String) -> String {
        guard let (name, inside) = CSSText.function(value), name == "var" else { return value }
        return inside
    }
}

extension Double {
    fileprivate var roundedToThousandths: Double { (self * 1_000).rounded() / 1_000 }
}
