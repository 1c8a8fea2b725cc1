import Apps

/// Makes of an app's tokens what the page shows of them.
struct DesignTokensBuilder {
    let services: Services
    let frames: FrameBuilder
    let app: App
    let workspace: String
    let csrf: String
    let tokens: DesignTokens
    /// Why a value was refused, by token.
    var errors: [String: String] = [:]
    /// What stands in a field although it was refused.
    var enteredValues: [String: String] = [:]
    var note: DesignTokensModel.Note?

    /// A length is drawn no wider.
    private static let maxBarWidth = 320.0

    func build() async throws -> DesignTokensModel {
        let light = properties(isDark: false)
        let dark = properties(isDark: true)
        let rows = tokens.tokens.map { makeRow($0, light, dark) }
        let measured = tokens.contrastPairs(light: light, dark: dark)
        let page = Links.designTokens(app.id)
        let failing = measured.count { $0.worstRatio < 4.5 }
        return DesignTokensModel(
            frame: try await frames.frame(
                "\(app.name), look", navItem: "storyboard", workspace: workspace, csrfToken: csrf,
                partURL: Links.partURL(page, []), script: "look.js"), csrf: csrf,
            tabs: StoryboardTabModel.all(of: app.id, current: .tokens),
            appSwitch: AppSwitchModel("look", "\(app.name), look", on: app, services) {
                Links.designTokens($0)
            },
            summaryText: Format.count(rows.count, "token") + ", " + Format.count(failing, "pair")
                + " below AA", saveAction: page, previewURL: Links.previewDesignTokens(app.id),
            discardURL: page, cssURL: Links.designTokens(app.id, as: "css"),
            jsonURL: Links.designTokens(app.id, as: "json"), digest: tokens.sheets.digest,
            saveTarget: saveTarget,
            note: note, groups: makeGroups(rows), pairs: makePairs(measured, light, dark),
            anyLight: light != nil, anyDark: dark != nil, frames: screenFrames,
            anyUnreadable: !tokens.sheets.unreadable.isEmpty,
            unreadable: tokens.sheets.unreadable.map {
                .init(unreadableFile: $0.file, unreadableReason: $0.why)
            })
    }

    /// `Public/apps/atlas/app.css`, and what other files of the app's own have
    /// tokens; nil where there is nothing to save into.
    private var saveTarget: String? {
        guard let main = tokens.sheets.mainSheet else { return nil }
        let others = tokens.sheets.sheets.filter { sheet in
            sheet.isAppOwned && sheet.displayPath != main.displayPath
                && tokens.tokens.contains { $0.file == sheet.displayPath }
        }
        return ([main.displayPath] + others.map(\.fileName)).joined(separator: ", ")
    }

    /// What the tokens come to; nil for a look the app does not have.
    private func properties(isDark: Bool) -> CustomProperties? {
        let other: App.Appearance = isDark ? .light : .dark
        return app.appearance == other ? nil : tokens.properties(isDark: isDark)
    }

    // MARK: Rows

    private func makeGroups(_ rows: [(kind: TokenValue.Kind, token: DesignTokensModel.Token)])
        -> [DesignTokensModel
        .Group]
    {
        TokenValue.Kind.allCases.compactMap { kind in
            let own = rows.filter { $0.kind == kind }.map(\.token)
            guard !own.isEmpty else { return nil }
            return .init(
                groupID: kind.rawValue, groupName: kind.groupTitle,
                groupCount: Format.count(own.count),
                tokens: own)
        }
    }

    private func makeRow(
        _ token: DesignToken, _ light: CustomProperties?, _ dark: CustomProperties?
    ) -> (
        TokenValue.Kind, DesignTokensModel.Token
    ) {
        let looks: [(String, TokenValue)] = [("light", light), ("dark", dark)].compactMap {
            look, properties in properties?[token.name].map { (look, TokenValue($0)) }
        }
        let kind = looks.first?.1.kind ?? .other
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
                ? "not used" : "used " + Format.count(token.uses.count, "time"),
            uses: token.uses.map {
                .init(selector: $0.selector, property: $0.property, useLocation: $0.location)
            })
        let isSingle = looks.count < 2 || looks[0].1 == looks[1].1
        for (look, value) in isSingle ? Array(looks.prefix(1)) : looks {
            switch value {
            case .color(let color):
                row.swatches.append(
                    .init(appearance: look, fill: color.css, hex: color.hex, isShared: isSingle))
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
                        gradientID: "gradient-\(id)-\(look)", isRadial: gradient.shape == "radial",
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
        _ measured: [ContrastPair], _ light: CustomProperties?, _ dark: CustomProperties?
    )
        -> DesignTokensModel.Pairs
    {
        let failing = measured.count { $0.worstRatio < 4.5 }
        return .init(
            pairsText: failing == 0
                ? "All \(measured.count) reach AA."
                : "\(failing) of \(measured.count) are below AA, first.",
            rows: measured.map { pair in
                let isDarker = (pair.darkRatio ?? .infinity) < (pair.lightRatio ?? .infinity)
                let look = isDarker ? dark : light
                func painted(_ value: String) -> String {
                    look?.resolve(value).flatMap(Color.init)?.css ?? "none"
                }
                return .init(
                    foreground: pair.foreground, background: pair.background,
                    foregroundName: ContrastPair.displayName(of: pair.foreground),
                    backgroundName: ContrastPair.displayName(of: pair.background),
                    lightRatio: pair.lightRatio.map(Self.makeRatio),
                    darkRatio: pair.darkRatio.map(Self.makeRatio),
                    sample: .init(
                        sampleForeground: painted(pair.foreground),
                        sampleBackground: painted(pair.background)),
                    firstSource: pair.sources[0], allSources: pair.sources.joined(separator: "\n"))
            })
    }

    private static func makeRatio(_ ratio: Double) -> DesignTokensModel.Ratio {
        let grade = Contrast.Grade(ratio)
        return .init(ratio: Contrast.format(ratio), grade: grade.label, tone: grade.tone)
    }

    // MARK: Screens

    /// Every screen as it is first shown, in each look the app has.
    private var screenFrames: [DesignTokensModel.Frame] {
        let looks = app.appearance == .system ? ["light", "dark"] : [nil]
        return app.screens.flatMap { screen in
            looks.map { look in
                let name = [screen.id, look].compactMap(\.self).joined(separator: ", ")
                return .init(app, screen.id, appearance: look, name: name)
            }
        }
    }
}

extension DesignTokensModel.Frame {
    /// A state of a screen on the phone most people have.
    init(
        _ app: App, _ screen: String, state: String = "default", appearance: String? = nil,
        name: String
    ) {
        let key = StateRecording.Key(screen: screen, state: state)
        self.init(
            frameTitle: "\(app.name), \(name)", frameName: name,
            src: Links.tile(app.id, key, size: DeviceSizes.all[0].id, appearance: appearance),
            href: Links.storyboardState(app.id, key))
    }
}

extension TokenValue.Kind {
    var groupTitle: String {
        switch self {
        case .color: "Colours"
        case .length: "Lengths"
        case .font: "Type"
        case .gradient: "Gradients"
        case .shadow: "Shadows"
        case .other: "Others"
        }
    }
}

extension ContrastPair {
    /// `--ink` for `var(--ink)`; else as it is.
    static func displayName(of value: String) -> String {
        guard let (name, inside) = CSSValueText.function(value), name == "var" else { return value }
        return inside
    }
}

extension Format {
    /// `16`, `0.3`: at most three decimals, none that are nought.
    static func decimal(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() && abs(rounded) < 1e9
            ? String(Int(rounded)) : String(rounded)
    }
}
