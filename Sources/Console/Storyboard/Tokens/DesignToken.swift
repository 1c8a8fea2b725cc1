import Web

/// A custom property of an app's root, with its value, its declaration and its uses.
struct DesignToken: Sendable, Equatable {
    /// `--page`.
    var name: String
    /// As written, or as edited: `light-dark(#fff, #000)`.
    var value: String
    /// As written in the sheet.
    var savedValue: String
    /// The value in dark appearance, if the sheet declares it in a separate rule.
    var darkValue: String?
    /// The file that declares it: `Public/apps/atlas/app.css`.
    var file: String
    var line: Int
    /// Whether that file belongs to the app.
    var isAppOwned: Bool
    /// The byte range of the value in that file.
    var valueRange: Range<Int>
    /// Values under other conditions, such as a narrow screen.
    var variants: [Variant] = []
    var uses: [Use] = []

    struct Variant: Sendable, Equatable {
        /// `@media (max-width: 340px)`.
        var condition: String
        var value: String
    }

    /// A declaration that references the token.
    struct Use: Sendable, Equatable {
        var selector: String
        var property: String
        /// `app.css:51`.
        var location: String
    }

    var isEdited: Bool { value != savedValue }
}

/// The tokens of an app, and their values in light and dark appearance.
struct DesignTokens: Sendable {
    var tokens: [DesignToken] = []
    let sheets: AppStyleSheets
    /// Properties that rules other than the root's set.
    private var nonRootProperties: Set<String> = []

    /// `edits` replace values by name, as if the sheet declared them.
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

    /// The token values in one appearance.
    func properties(isDark: Bool) -> CustomProperties {
        CustomProperties(
            values: tokens.reduce(into: [:]) { values, token in
                values[token.name] = isDark ? token.darkValue ?? token.value : token.value
            }, isDark: isDark)
    }

    /// Whether the app may override `token`. A token of another file that other rules set too, such
    /// as the frame's safe areas, is not editable.
    func canEdit(_ token: DesignToken) -> Bool {
        sheets.mainSheet != nil && (token.isAppOwned || !nonRootProperties.contains(token.name))
    }

    // MARK: Collecting

    /// Whether the selector is `:root`, for any or one appearance.
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
        let isUnconditional = rule.conditions.isEmpty && !rule.selector.contains(".")
        if let index, !isUnconditional {
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
            // A later declaration overrides an earlier one.
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
