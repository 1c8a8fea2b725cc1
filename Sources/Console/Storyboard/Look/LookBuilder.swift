import Apps

/// Makes of an app's tokens what the page shows of them.
struct LookBuilder {
    let services: Services
    let frames: FrameBuilder
    let app: App
    let workspace: String
    let csrf: String
    let tokens: DesignTokens
    /// Why a value was refused, by token.
    var errors: [String: String] = [:]
    /// What stands in a field although it was refused.
    var typed: [String: String] = [:]
    var note: LookModel.Note?

    /// A length is drawn no wider.
    private static let widest = 320.0

    func build() async throws -> LookModel {
        let light = properties(isDark: false)
        let dark = properties(isDark: true)
        let rows = tokens.tokens.map { row($0, light, dark) }
        let measured = tokens.pairs(light, dark)
        let page = Links.look(app.id)
        let failing = measured.count { $0.worst < 4.5 }
        return LookModel(
            frame: try await frames.frame(
                "\(app.name), look", place: "storyboard", workspace: workspace, csrf: csrf,
                partURL: Links.part(page, []), script: "look.js"), csrf: csrf,
            ways: WayModel.all(of: app.id, current: .look),
            appSwitch: AppSwitchModel("look", "\(app.name), look", on: app, services) {
                Links.look($0)
            },
            factText: Words.count(rows.count, "token") + ", " + Words.count(failing, "pair")
                + " below AA", action: page, previewURL: Links.previewLook(app.id),
            discardURL: page, cssURL: Links.look(app.id, as: "css"),
            jsonURL: Links.look(app.id, as: "json"), digest: tokens.sheets.digest, savedTo: savedTo,
            note: note, groups: groups(rows), pairs: pairs(measured, light, dark),
            anyLight: light != nil, anyDark: dark != nil, frames: screens,
            anyUnread: !tokens.sheets.broken.isEmpty,
            unread: tokens.sheets.broken.map { .init(unreadFile: $0.file, unreadWhy: $0.why) })
    }

    /// `Public/apps/atlas/app.css`, and what other files of the app's own have
    /// tokens; nil where there is nothing to save into.
    private var savedTo: String? {
        guard let main = tokens.sheets.main else { return nil }
        let others = tokens.sheets.sheets.filter { sheet in
            sheet.isOwn && sheet.name != main.name
                && tokens.tokens.contains { $0.file == sheet.name }
        }
        return ([main.name] + others.map(\.file)).joined(separator: ", ")
    }

    /// What the tokens come to; nil for a look the app does not have.
    private func properties(isDark: Bool) -> Properties? {
        let other: App.Appearance = isDark ? .light : .dark
        return app.appearance == other ? nil : tokens.properties(isDark: isDark)
    }

    // MARK: Rows

    private func groups(_ rows: [(kind: TokenValue.Kind, token: LookModel.Token)]) -> [LookModel
        .Group]
    {
        TokenValue.Kind.allCases.compactMap { kind in
            let own = rows.filter { $0.kind == kind }.map(\.token)
            guard !own.isEmpty else { return nil }
            return .init(
                groupID: kind.rawValue, groupName: kind.words, groupCount: Words.count(own.count),
                tokens: own)
        }
    }

    private func row(_ token: DesignToken, _ light: Properties?, _ dark: Properties?) -> (
        TokenValue.Kind, LookModel.Token
    ) {
        let looks: [(String, TokenValue)] = [("light", light), ("dark", dark)].compactMap {
            look, properties in properties?[token.name].map { (look, TokenValue($0)) }
        }
        let kind = looks.first?.1.kind ?? .other
        let id = String(token.name.dropFirst(2))
        let value = typed[token.name] ?? token.value.trimmed
        var row = LookModel.Token(
            name: token.name, tokenID: id, value: token.value.trimmed, saved: token.saved.trimmed,
            darkSaved: token.dark, place: "\(token.file):\(token.line)",
            placeName: "\(token.file.split(separator: "/").last ?? ""):\(token.line)",
            isBorrowed: !token.isOwn,
            field: tokens.canChange(token)
                ? .init(fieldName: token.name, fieldValue: value, fieldError: errors[token.name])
                : nil, edited: value != token.saved.trimmed, swatches: [], gradients: [],
            variants: token.variants.map { .init(condition: $0.condition, variantValue: $0.value) },
            usedText: token.uses.isEmpty
                ? "not used" : "used " + Words.count(token.uses.count, "time"),
            uses: token.uses.map {
                .init(selector: $0.selector, property: $0.property, usePlace: $0.place)
            })
        let isSingle = looks.count < 2 || looks[0].1 == looks[1].1
        for (look, value) in isSingle ? Array(looks.prefix(1)) : looks {
            switch value {
            case .colour(let colour):
                row.swatches.append(
                    .init(look: look, fill: colour.css, hex: colour.hex, single: isSingle))
            case .length(let number, let unit):
                row.bar = value.pixels.map {
                    .init(
                        width: Words.plain(min(Self.widest, max(0, $0))),
                        barText: Words.plain(number) + unit)
                }
            case .fonts:
                row.face = .init(
                    family: token.value.trimmed.contains("var(") ? "inherit" : token.value.trimmed)
            case .gradient(let gradient):
                row.gradients.append(
                    .init(
                        gradientID: "gradient-\(id)-\(look)", radial: gradient.shape == "radial",
                        gradientStops: gradient.stops.map {
                            .init(offset: Words.plain($0.position), colour: $0.colour.css)
                        }))
            case .number, .shadow, .other: break
            }
        }
        return (kind, row)
    }

    // MARK: Contrast

    private func pairs(_ measured: [InkPair], _ light: Properties?, _ dark: Properties?)
        -> LookModel.Pairs
    {
        let failing = measured.count { $0.worst < 4.5 }
        return .init(
            pairsText: failing == 0
                ? "All \(measured.count) reach AA."
                : "\(failing) of \(measured.count) are below AA, first.",
            rows: measured.map { pair in
                let isDarker = (pair.dark ?? .infinity) < (pair.light ?? .infinity)
                let look = isDarker ? dark : light
                func painted(_ value: String) -> String {
                    look?.resolved(value).flatMap(Colour.init)?.css ?? "none"
                }
                return .init(
                    ink: pair.ink, ground: pair.ground, inkName: InkPair.said(pair.ink),
                    groundName: InkPair.said(pair.ground), light: pair.light.map(Self.ratio),
                    dark: pair.dark.map(Self.ratio),
                    sample: .init(sampleInk: painted(pair.ink), sampleGround: painted(pair.ground)),
                    pairPlace: pair.places[0], pairPlaces: pair.places.joined(separator: "\n"))
            })
    }

    private static func ratio(_ ratio: Double) -> LookModel.Ratio {
        let grade = Contrast.Grade(ratio)
        return .init(ratio: Contrast.said(ratio), grade: grade.words, tone: grade.tone)
    }

    // MARK: Screens

    /// Every screen as it is first shown, in each look the app has.
    private var screens: [LookModel.Frame] {
        let looks = app.appearance == .system ? ["light", "dark"] : [nil]
        return app.screens.flatMap { screen in
            looks.map { look in
                let name = [screen.id, look].compactMap(\.self).joined(separator: ", ")
                return .init(app, screen.id, look: look, name: name)
            }
        }
    }
}

extension LookModel.Frame {
    /// A state of a screen on the phone most people have.
    init(_ app: App, _ screen: String, state: String = "default", look: String? = nil, name: String)
    {
        let key = Scene.Key(screen: screen, state: state)
        self.init(
            frameTitle: "\(app.name), \(name)", frameName: name,
            src: Links.tile(app.id, key, size: DeviceSizes.all[0].id, appearance: look),
            href: Links.scene(app.id, key))
    }
}

extension TokenValue.Kind {
    var words: String {
        switch self {
        case .colour: "Colours"
        case .length: "Lengths"
        case .font: "Type"
        case .gradient: "Gradients"
        case .shadow: "Shadows"
        case .other: "Others"
        }
    }
}

extension InkPair {
    /// `--ink` for `var(--ink)`; else as it is.
    static func said(_ value: String) -> String {
        guard let (name, inside) = CSSText.function(value), name == "var" else { return value }
        return inside
    }
}

extension Words {
    /// `16`, `0.3`: at most three decimals, none that are nought.
    static func plain(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() && abs(rounded) < 1e9
            ? String(Int(rounded)) : String(rounded)
    }
}
