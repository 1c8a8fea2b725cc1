import Apps
import DesignTokens
import Storyboards
import Web

/// Builds the model of the design tokens page.
struct DesignTokensBuilder {
    let services: Services
    let app: App
    let tokens: DesignTokenSet
    /// Validation errors by token name.
    var errors: [String: String] = [:]
    /// The submitted values, shown in the fields even if rejected.
    var enteredValues: [String: String] = [:]
    var note: ChipModel?

    /// The longest bar drawn for a length, in px.
    private static let maxBarWidth = 320.0

    func build() -> Page<StoryboardPageModel<DesignTokensModel>> {
        let properties = app.tokenAppearances.map(tokens.properties)
        let pairs = tokens.contrastPairs(properties)
        let url = Links.designTokens(app.id)
        let failing = pairs.count { $0.worstRatio < 4.5 }
        return Page(
            .tokens, of: app, services, url: url, script: "design-tokens.js",
            DesignTokensModel(
                summaryText: Format.count(tokens.tokens.count, "token") + ", "
                    + Format.count(failing, "pair") + " below AA",
                links: [
                    "page": url, "preview": Links.previewDesignTokens(app.id),
                    "css": Links.designTokensCSS(app.id), "json": Links.designTokensJSON(app.id),
                ], digest: tokens.sheets.digest, saveTarget: saveTarget, note: note,
                groups: makeGroups(properties),
                pairsText: failing == 0
                    ? "All \(pairs.count) pairs meet AA."
                    : "\(failing) of \(pairs.count) pairs below AA, listed first.",
                pairs: pairs.map { makePair($0, properties) },
                appearances: app.tokenAppearances.map(\.rawValue.capitalizedFirst),
                frames: screenFrames,
                unreadable: tokens.sheets.unreadable))
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

    private func makeGroups(_ properties: [CustomProperties]) -> [DesignTokensModel.Group] {
        var tokensByKind: [TokenValue.Kind: [DesignTokensModel.Token]] = [:]
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
                .init(
                    groupID: kind.rawValue, groupName: name,
                    groupCount: Format.count($0.count), tokens: $0)
            }
        }
    }

    private func makeToken(_ token: DesignToken, _ values: [(Appearance, TokenValue)])
        -> DesignTokensModel.Token
    {
        let id = String(token.name.dropFirst(2))
        let value = token.value.whitespaceCollapsed
        let savedValue = token.savedValue.whitespaceCollapsed
        let enteredValue = enteredValues[token.name] ?? value
        let isShared = values.count < 2 || values[0].1 == values[1].1
        var model = DesignTokensModel.Token(
            token: token, tokenID: id, value: value, savedValue: savedValue,
            fileName: token.file.split(separator: "/").last.map(String.init) ?? "",
            isEditable: tokens.canEdit(token),
            fieldValue: enteredValue, fieldError: errors[token.name],
            isEdited: enteredValue != savedValue, isShared: isShared,
            usesText: token.uses.isEmpty ? "Not used" : Format.count(token.uses.count, "use"))
        for (appearance, tokenValue) in isShared ? values.prefix(1) : values[...] {
            let appearance = appearance.rawValue
            switch tokenValue {
            case .color(let color):
                model.swatches.append(
                    .init(appearance: appearance, fill: color.css, hex: color.hex))
            case .length:
                model.barWidth = tokenValue.pixels.map {
                    min(Self.maxBarWidth, max(0, $0)).roundedToThousandths
                }
            case .fonts: model.fontFamily = value.contains("var(") ? "inherit" : value
            case .gradient(let gradient):
                model.gradients.append(
                    .init(
                        gradientID: "gradient-\(id)-\(appearance)",
                        isRadial: gradient.shape == "radial",
                        gradientStops: gradient.stops.map {
                            .init(offset: $0.position.roundedToThousandths, color: $0.color.css)
                        }))
            case .number, .shadow, .other: break
            }
        }
        return model
    }

    // MARK: Contrast

    private func makePair(_ pair: ContrastPair, _ properties: [CustomProperties])
        -> DesignTokensModel.Pair
    {
        let worst = properties.first { pair.ratios[$0.appearance] == pair.worstRatio }
        return .init(
            foreground: pair.foreground, background: pair.background,
            foregroundName: ContrastPair.displayName(of: pair.foreground),
            backgroundName: ContrastPair.displayName(of: pair.background),
            ratios: app.tokenAppearances.map { appearance in
                let ratio = pair.ratios[appearance]
                let grade = ratio.map(Contrast.Grade.init)
                return .init(
                    appearance: appearance.rawValue, ratio: ratio.map(Contrast.format),
                    grade: grade?.rawValue, tone: grade?.tone)
            }, sampleForeground: worst?.color(pair.foreground)?.css ?? "none",
            sampleBackground: worst?.color(pair.background)?.css ?? "none",
            firstSource: pair.sources[0], allSources: pair.sources.joined(separator: "\n"))
    }

    // MARK: Screens

    /// Every screen in its default state, in each appearance of the app.
    private var screenFrames: [PreviewFrameModel] {
        let appearances = app.appearance == .system ? ["light", "dark"] : [nil]
        return app.screens.flatMap { screen in
            appearances.map { PreviewFrameModel(app, screen.id, appearance: $0) }
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

/// An app's design tokens (`storyboard/designtokens`): their values, the contrast of its color
/// pairs, and fields to edit them.
struct DesignTokensModel: Encodable, Sendable {
    /// `75 tokens, 4 pairs below AA`.
    var summaryText: String
    /// `page`, without edits; `preview` redirects there with the edits in the URL; `css`, `json`.
    var links: [String: String]
    /// The digest of the app's files when the page was rendered.
    var digest: String
    /// The files a save writes to; nil if the app has no style sheet.
    var saveTarget: String?
    /// What was just saved, or why it was not.
    var note: ChipModel?
    var groups: [Group]
    var pairsText: String
    var pairs: [Pair]
    /// `Light`, `Dark`: those of the app, each a column.
    var appearances: [String]
    var frames: [PreviewFrameModel]
    var unreadable: [AppStyleSheets.UnreadableSheet]

    /// The tokens of one kind.
    struct Group: Encodable, Sendable {
        /// `color`.
        var groupID: String
        var groupName: String
        var groupCount: String
        var tokens: [Token]
    }

    struct Token: Encodable, Sendable {
        var token: DesignToken
        /// `page` for `--page`.
        var tokenID: String
        /// The current value, and the value in the sheet.
        var value: String
        var savedValue: String
        /// `app.css`.
        var fileName: String
        var isEditable: Bool
        /// The value in the field, and why it is invalid.
        var fieldValue: String
        var fieldError: String?
        var isEdited: Bool
        /// Whether both appearances have the same value.
        var isShared: Bool
        var swatches: [Swatch] = []
        /// A length in px, limited to the space on the page.
        var barWidth: Double?
        var fontFamily: String?
        var gradients: [Gradient] = []
        /// `4 uses`.
        var usesText: String
    }

    struct Swatch: Encodable, Sendable {
        /// `light` or `dark`.
        var appearance: String
        /// For an attribute and for display: `#f2f2f7`.
        var fill: String
        /// `#rrggbb`, for an input of type color.
        var hex: String
    }

    struct Gradient: Encodable, Sendable {
        var gradientID: String
        var isRadial: Bool
        var gradientStops: [Stop]

        struct Stop: Encodable, Sendable {
            var offset: Double
            var color: String
        }
    }

    struct Pair: Encodable, Sendable {
        var foreground: String
        var background: String
        /// Without `var()`.
        var foregroundName: String
        var backgroundName: String
        var ratios: [Ratio]
        /// A sample in the appearance with the lower contrast.
        var sampleForeground: String
        var sampleBackground: String
        /// The first of the rules, and all of them.
        var firstSource: String
        var allSources: String
    }

    /// The contrast of a pair in one appearance; nil if it has no colors there.
    struct Ratio: Encodable, Sendable {
        var appearance: String
        var ratio: String?
        var grade: String?
        var tone: String?
    }
}
