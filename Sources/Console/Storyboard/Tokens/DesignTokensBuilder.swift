import Apps
import Storyboards
import Web

/// Builds the model of the design tokens page.
struct DesignTokensBuilder {
    let services: Services
    let frames: FrameBuilder
    let app: App
    let workspace: String
    let csrf: String
    let tokens: DesignTokens
    /// Validation errors by token name.
    var errors: [String: String] = [:]
    /// The submitted values, shown in the fields even if rejected.
    var enteredValues: [String: String] = [:]
    var note: DesignTokensModel.Note?

    /// The longest bar drawn for a length, in px.
    private static let maxBarWidth = 320.0

    func build() async throws -> DesignTokensModel {
        let light = properties(isDark: false)
        let dark = properties(isDark: true)
        let rows = tokens.tokens.map { makeRow($0, light, dark) }
        let pairs = tokens.contrastPairs(light: light, dark: dark)
        let page = Links.designTokens(app.id)
        let failing = pairs.count { $0.worstRatio < 4.5 }
        return DesignTokensModel(
            frame: try await frames.frame(
                "\(app.name), design tokens", navItem: "storyboard", workspace: workspace,
                csrfToken: csrf,
                partURL: Links.partURL(page, []), script: "design-tokens.js"), csrf: csrf,
            tabs: StoryboardTabModel.all(of: app.id, current: .tokens),
            appSwitch: AppSwitchModel("design", "\(app.name), design tokens", on: app, services) {
                Links.designTokens($0)
            },
            summaryText: Format.count(rows.count, "token") + ", " + Format.count(failing, "pair")
                + " below AA", saveAction: page, previewURL: Links.previewDesignTokens(app.id),
            discardURL: page, cssURL: Links.designTokens(app.id, as: "css"),
            jsonURL: Links.designTokens(app.id, as: "json"), digest: tokens.sheets.digest,
            saveTarget: saveTarget,
            note: note, groups: makeGroups(rows), pairs: makePairs(pairs, light, dark),
            anyLight: light != nil, anyDark: dark != nil, frames: screenFrames,
            anyUnreadable: !tokens.sheets.unreadable.isEmpty,
            unreadable: tokens.sheets.unreadable.map {
                .init(unreadableFile: $0.file, unreadableReason: $0.why)
            })
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

    /// The token values in one appearance; nil if the app lacks it.
    private func properties(isDark: Bool) -> CustomProperties? {
        let otherAppearance: App.Appearance = isDark ? .light : .dark
        return app.appearance == otherAppearance ? nil : tokens.properties(isDark: isDark)
    }

    // MARK: Rows

    private func makeGroups(_ rows: [(kind: TokenValue.Kind, token: DesignTokensModel.Token)])
        -> [DesignTokensModel
        .Group]
    {
        TokenValue.Kind.allCases.compactMap { kind in
            let groupTokens = rows.filter { $0.kind == kind }.map(\.token)
            guard !groupTokens.isEmpty else { return nil }
            return .init(
                groupID: kind.rawValue, groupName: kind.groupTitle,
                groupCount: Format.count(groupTokens.count),
                tokens: groupTokens)
        }
    }

    private func makeRow(
        _ token: DesignToken, _ light: CustomProperties?, _ dark: CustomProperties?
    ) -> (
        TokenValue.Kind, DesignTokensModel.Token
    ) {
        let resolvedValues: [(String, TokenValue)] = [("light", light), ("dark", dark)].compactMap {
            appearance, properties in properties?[token.name].map { (appearance, TokenValue($0)) }
        }
        let kind = resolvedValues.first?.1.kind ?? .other
        let id = String(token.name.dropFirst(2))
        let value = enteredValues[token.name] ?? token.value.whitespaceCollapsed
        var row = DesignTokensModel.Token(
            name: token.name, tokenID: id, value: token.value.whitespaceCollapsed,
            savedValue: token.savedValue.whitespaceCollapsed,
            savedDarkValue: token.darkValue, location: "\(token.file):\(token.line)",
            shortLocation: "\(token.file.split(separator: "/").last ?? ""):\(token.line)",
            isInherited: !token.isAppOwned,
            field: tokens.canEdit(token)
                ? .init(fieldName: token.name, fieldValue: value, fieldError: errors[token.name])
                : nil, isEdited: value != token.savedValue.whitespaceCollapsed, swatches: [],
            gradients: [],
            variants: token.variants.map { .init(condition: $0.condition, variantValue: $0.value) },
            usesText: token.uses.isEmpty
                ? "Not used" : Format.count(token.uses.count, "use"),
            uses: token.uses.map {
                .init(selector: $0.selector, property: $0.property, useLocation: $0.location)
            })
        let isSingle = resolvedValues.count < 2 || resolvedValues[0].1 == resolvedValues[1].1
        for (appearance, value) in isSingle ? Array(resolvedValues.prefix(1)) : resolvedValues {
            switch value {
            case .color(let color):
                row.swatches.append(
                    .init(
                        appearance: appearance, fill: color.css, hex: color.hex, isShared: isSingle)
                )
            case .length(let number, let unit):
                row.lengthBar = value.pixels.map {
                    .init(
                        width: Format.decimal(min(Self.maxBarWidth, max(0, $0))),
                        barText: Format.decimal(number) + unit)
                }
            case .fonts:
                row.fontSample = .init(
                    family: token.value.whitespaceCollapsed.contains("var(")
                        ? "inherit" : token.value.whitespaceCollapsed)
            case .gradient(let gradient):
                row.gradients.append(
                    .init(
                        gradientID: "gradient-\(id)-\(appearance)",
                        isRadial: gradient.shape == "radial",
                        gradientStops: gradient.stops.map {
                            .init(offset: Format.decimal($0.position), color: $0.color.css)
                        }))
            case .number, .shadow, .other: break
            }
        }
        return (kind, row)
    }

    // MARK: Contrast

    private func makePairs(
        _ pairs: [ContrastPair], _ light: CustomProperties?, _ dark: CustomProperties?
    )
        -> DesignTokensModel.Pairs
    {
        let failing = pairs.count { $0.worstRatio < 4.5 }
        return .init(
            pairsText: failing == 0
                ? "All \(pairs.count) pairs meet AA."
                : "\(failing) of \(pairs.count) pairs below AA, listed first.",
            rows: pairs.map { pair in
                let isDarker = (pair.darkRatio ?? .infinity) < (pair.lightRatio ?? .infinity)
                let properties = isDarker ? dark : light
                func cssColor(_ value: String) -> String {
                    properties?.resolve(value).flatMap(Color.init)?.css ?? "none"
                }
                return .init(
                    foreground: pair.foreground, background: pair.background,
                    foregroundName: ContrastPair.displayName(of: pair.foreground),
                    backgroundName: ContrastPair.displayName(of: pair.background),
                    lightRatio: pair.lightRatio.map(Self.makeRatio),
                    darkRatio: pair.darkRatio.map(Self.makeRatio),
                    sample: .init(
                        sampleForeground: cssColor(pair.foreground),
                        sampleBackground: cssColor(pair.background)),
                    firstSource: pair.sources[0], allSources: pair.sources.joined(separator: "\n"))
            })
    }

    private static func makeRatio(_ ratio: Double) -> DesignTokensModel.Ratio {
        let grade = Contrast.Grade(ratio)
        return .init(ratio: Contrast.format(ratio), grade: grade.label, tone: grade.tone)
    }

    // MARK: Screens

    /// Every screen in its default state, in each appearance of the app.
    private var screenFrames: [DesignTokensModel.Frame] {
        let appearances = app.appearance == .system ? ["light", "dark"] : [nil]
        return app.screens.flatMap { screen in
            appearances.map { appearance in
                let name = [screen.id, appearance].compactMap(\.self).joined(separator: ", ")
                return .init(app, screen.id, appearance: appearance, name: name)
            }
        }
    }
}

extension DesignTokensModel.Frame {
    /// A state of a screen, at the most common phone size.
    init(
        _ app: App, _ screen: String, state: String = "default", appearance: String? = nil,
        name: String
    ) {
        let state = StateID(app: app.id, screen: screen, state: state)
        self.init(
            frameTitle: "\(app.name), \(name)", frameName: name,
            src: Links.tile(state, size: DeviceSizes.all[0].id, appearance: appearance),
            href: Links.storyboardState(state))
    }
}

extension TokenValue.Kind {
    var groupTitle: String {
        switch self {
        case .color: "Colors"
        case .length: "Sizes"
        case .font: "Type"
        case .gradient: "Gradients"
        case .shadow: "Shadows"
        case .other: "Other"
        }
    }
}

extension ContrastPair {
    /// `--ink` for `var(--ink)`; other values unchanged.
    static func displayName(of value: String) -> String {
        guard let (name, inside) = CSSValueText.function(value), name == "var" else { return value }
        return inside
    }
}

extension Format {
    /// `16`, `0.3`: at most three decimals, without trailing zeros.
    static func decimal(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() && abs(rounded) < 1e9
            ? String(Int(rounded)) : String(rounded)
    }
}
