/// A custom property of an app's root: its value, where it is said and where
/// it is used.
struct DesignToken: Sendable, Equatable {
    /// `--page`.
    var name: String
    /// As written, or as somebody would have it: `light-dark(#fff, #000)`.
    var value: String
    /// As written in the sheet.
    var savedValue: String
    /// What the dark has instead, where the sheet says it in a rule of its
    /// own.
    var darkValue: String?
    /// The file that says it: `Public/apps/atlas/app.css`.
    var file: String
    var line: Int
    /// Whether that file is the app's own.
    var isAppOwned: Bool
    /// The value's bytes in that file.
    var valueRange: Range<Int>
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
        var location: String
    }

    var isEdited: Bool { value != savedValue }
}

/// The tokens of an app, and what they come to in the light and in the dark.
struct DesignTokens: Sendable {
    var tokens: [DesignToken] = []
    let sheets: AppStyleSheets
    /// Properties that rules other than the root's set.
    private var nonRootProperties: Set<String> = []

    /// `edits` stand in for values by name, as if the sheet said them.
    init(_ sheets: AppStyleSheets, edits: [String: String] = [:]) {
        self.sheets = sheets
        for sheet in sheets.sheets {
            for rule in sheet.styleSheet.rules {
                let isRoot = Self.isRoot(rule.selector)
                for declaration in rule.declarations where declaration.name.hasPrefix("--") {
                    if isRoot {
                        add(declaration, rule, sheet)
                    } else {
                        nonRootProperties.insert(declaration.name)
                    }
                }
            }
        }
        for index in tokens.indices {
            if let edit = edits[tokens[index].name] {
                tokens[index].value = edit
                if edit.whitespaceCollapsed != tokens[index].savedValue.whitespaceCollapsed {
                    tokens[index].darkValue = nil
                } else {
                    tokens[index].value = tokens[index].savedValue
                }
            }
        }
        addUses()
    }

    subscript(name: String) -> DesignToken? { tokens.first { $0.name == name } }

    /// What the tokens say in one appearance.
    func properties(isDark: Bool) -> CustomProperties {
        CustomProperties(
            values: tokens.reduce(into: [:]) { values, token in
                values[token.name] = isDark ? token.darkValue ?? token.value : token.value
            }, isDark: isDark)
    }

    /// Whether the app may say `token` anew. What is not its own and is set
    /// by a rule elsewhere too (the frame's safe areas) is not for it to say.
    func canEdit(_ token: DesignToken) -> Bool {
        sheets.mainSheet != nil && (token.isAppOwned || !nonRootProperties.contains(token.name))
    }

    // MARK: Gathering

    /// `:root`, also as one appearance has it.
    private static func isRoot(_ selector: String) -> Bool {
        CSSValueText.arguments(selector).contains {
            [":root", "html", ":root.light", ":root.dark"].contains($0)
        }
    }

    private mutating func add(
        _ declaration: StyleSheet.Declaration, _ rule: StyleSheet.Rule,
        _ sheet: AppStyleSheets.SheetFile
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
                tokens[index].darkValue = declaration.value
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
            name: declaration.name, value: declaration.value, savedValue: declaration.value,
            darkValue: nil,
            file: sheet.displayPath, line: declaration.line, isAppOwned: sheet.isAppOwned,
            valueRange: declaration.valueRange)
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
            for rule in sheet.styleSheet.rules {
                for declaration in rule.declarations {
                    for name in CSSValueText.referencedProperties(in: declaration.value) {
                        uses[name, default: []].append(
                            .init(
                                selector: rule.selector, property: declaration.name,
                                location: "\(sheet.fileName):\(declaration.line)"))
                    }
                }
            }
        }
        for index in tokens.indices { tokens[index].uses = uses[tokens[index].name] ?? [] }
    }
}
