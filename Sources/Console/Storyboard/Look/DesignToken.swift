/// A custom property of an app's root: its value, where it is said and where
/// it is used.
struct DesignToken: Sendable, Equatable {
    /// `--page`.
    var name: String
    /// As written, or as somebody would have it: `light-dark(#fff, #000)`.
    var value: String
    /// As written in the sheet.
    var saved: String
    /// What the dark has instead, where the sheet says it in a rule of its
    /// own.
    var dark: String?
    /// The file that says it: `Public/apps/atlas/app.css`.
    var file: String
    var line: Int
    /// Whether that file is the app's own.
    var isOwn: Bool
    /// The value's bytes in that file.
    var range: Range<Int>
    /// Other values under conditions: on a narrow screen.
    var variants: [Variant] = []
    var uses: [Use] = []

    struct Variant: Sendable, Equatable {
        /// `@media (max-width: 340px)`.
        var condition: String
        var value: String
    }

    /// A declaration that asks for it.
    struct Use: Sendable, Equatable {
        var selector: String
        var property: String
        /// `app.css:51`.
        var place: String
    }

    var isEdited: Bool { value != saved }
}

/// The tokens of an app, and what they come to in the light and in the dark.
struct DesignTokens: Sendable {
    var tokens: [DesignToken] = []
    let sheets: AppSheets
    /// Properties that rules other than the root's set.
    private var setElsewhere: Set<String> = []

    /// `edits` stand in for values by name, as if the sheet said them.
    init(_ sheets: AppSheets, edits: [String: String] = [:]) {
        self.sheets = sheets
        for sheet in sheets.sheets {
            for rule in sheet.sheet.rules {
                let isRoot = Self.isRoot(rule.selector)
                for declaration in rule.declarations where declaration.name.hasPrefix("--") {
                    if isRoot {
                        take(declaration, rule, sheet)
                    } else {
                        setElsewhere.insert(declaration.name)
                    }
                }
            }
        }
        for index in tokens.indices {
            if let edit = edits[tokens[index].name] {
                tokens[index].value = edit
                if edit.trimmed != tokens[index].saved.trimmed {
                    tokens[index].dark = nil
                } else {
                    tokens[index].value = tokens[index].saved
                }
            }
        }
        addUses()
    }

    subscript(name: String) -> DesignToken? { tokens.first { $0.name == name } }

    /// What the tokens say in one appearance.
    func properties(isDark: Bool) -> Properties {
        Properties(
            values: tokens.reduce(into: [:]) { values, token in
                values[token.name] = isDark ? token.dark ?? token.value : token.value
            }, isDark: isDark)
    }

    /// Whether the app may say `token` anew. What is not its own and is set
    /// by a rule elsewhere too (the frame's safe areas) is not for it to say.
    func canChange(_ token: DesignToken) -> Bool {
        sheets.main != nil && (token.isOwn || !setElsewhere.contains(token.name))
    }

    // MARK: Gathering

    /// `:root`, also as one appearance has it.
    private static func isRoot(_ selector: String) -> Bool {
        CSSText.arguments(selector).contains {
            [":root", "html", ":root.light", ":root.dark"].contains($0)
        }
    }

    private mutating func take(
        _ declaration: StyleSheet.Declaration, _ rule: StyleSheet.Rule, _ sheet: AppSheets.Sheet
    ) {
        let index = tokens.firstIndex { $0.name == declaration.name }
        let isDark =
            rule.selector.contains(".dark")
            || rule.conditions.contains {
                $0.contains("prefers-color-scheme") && $0.contains("dark")
            }
        let isBare = rule.conditions.isEmpty && !rule.selector.contains(".")
        if let index, !isBare {
            if isDark {
                tokens[index].dark = declaration.value
            } else {
                tokens[index].variants.append(
                    .init(
                        condition: (rule.conditions
                            + (rule.selector == ":root" ? [] : [rule.selector])).joined(
                                separator: " "), value: declaration.value))
            }
            return
        }
        let token = DesignToken(
            name: declaration.name, value: declaration.value, saved: declaration.value, dark: nil,
            file: sheet.name, line: declaration.line, isOwn: sheet.isOwn, range: declaration.range)
        if let index {
            // What comes later is laid over what came before.
            tokens[index] = token
        } else {
            tokens.append(token)
        }
    }

    private mutating func addUses() {
        var uses: [String: [DesignToken.Use]] = [:]
        for sheet in sheets.sheets {
            for rule in sheet.sheet.rules {
                for declaration in rule.declarations {
                    for name in CSSText.asked(in: declaration.value) {
                        uses[name, default: []].append(
                            .init(
                                selector: rule.selector, property: declaration.name,
                                place: "\(sheet.file):\(declaration.line)"))
                    }
                }
            }
        }
        for index in tokens.indices { tokens[index].uses = uses[tokens[index].name] ?? [] }
    }
}
