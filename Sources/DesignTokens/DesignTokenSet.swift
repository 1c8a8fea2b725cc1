import Web

/// A custom property of an app's root, with its value, its declaration and its uses.
package struct DesignToken: Encodable, Sendable, Equatable {
    /// `--page`.
    package let name: String
    /// As written, or as edited: `light-dark(#fff, #000)`.
    package fileprivate(set) var value: String
    /// As written in the sheet.
    package let savedValue: String
    /// The value in dark appearance, if the sheet declares it in a separate rule.
    package fileprivate(set) var darkValue: String?
    /// The file that declares it: `Public/apps/atlas/app.css`.
    package let file: String
    package let line: Int
    /// Whether that file belongs to the app.
    package let isAppOwned: Bool
    /// The byte range of the value in that file.
    let valueRange: Range<Int>
    /// Values under other conditions, such as a narrow screen.
    package fileprivate(set) var variants: [Variant] = []
    package fileprivate(set) var uses: [Use] = []

    /// The token's value under a media query.
    package struct Variant: Encodable, Sendable, Equatable {
        /// `@media (max-width: 340px)`.
        var condition: String
        var value: String
    }

    /// A declaration that references the token.
    package struct Use: Encodable, Sendable, Equatable {
        package var selector: String
        package var property: String
        /// `app.css:51`.
        package var location: String
    }

    fileprivate init(_ declaration: StyleSheet.Declaration, in sheet: AppStyleSheets.SheetFile) {
        name = declaration.name
        value = declaration.value
        savedValue = declaration.value
        file = sheet.displayPath
        line = declaration.line
        isAppOwned = sheet.isAppOwned
        valueRange = declaration.valueRange
    }
}

/// The tokens of an app, and their values in light and dark appearance.
package struct DesignTokenSet: Sendable {
    package private(set) var tokens: [DesignToken] = []
    package let sheets: AppStyleSheets
    /// Properties that rules other than the root's set.
    private var nonRootProperties: Set<String> = []

    /// `edits` replace values by name, as if the sheet declared them.
    package init(_ sheets: AppStyleSheets, edits: [String: String] = [:]) {
        self.sheets = sheets
        var uses: [String: [DesignToken.Use]] = [:]
        for sheet in sheets.sheets {
            for rule in sheet.styleSheet.rules {
                for declaration in rule.declarations {
                    if declaration.isCustomProperty { add(declaration, rule, sheet) }
                    for name in CSSText.referencedProperties(in: declaration.value) {
                        uses[name, default: []].append(
                            .init(
                                selector: rule.selector, property: declaration.name,
                                location: "\(sheet.fileName):\(declaration.line)"))
                    }
                }
            }
        }
        for index in tokens.indices {
            let token = tokens[index]
            tokens[index].uses = uses[token.name] ?? []
            if let edit = edits[token.name],
                edit.whitespaceCollapsed != token.savedValue.whitespaceCollapsed
            {
                tokens[index].value = edit
                tokens[index].darkValue = nil
            }
        }
    }

    package subscript(name: String) -> DesignToken? { tokens.first { $0.name == name } }

    /// The token values in one appearance.
    package func properties(_ appearance: Appearance) -> CustomProperties {
        let values = tokens.map {
            ($0.name, appearance == .dark ? $0.darkValue ?? $0.value : $0.value)
        }
        return CustomProperties(
            values: Dictionary(uniqueKeysWithValues: values), appearance: appearance)
    }

    /// Whether the app may override `token`. A token of another file that other rules set too, such
    /// as the frame's safe areas, is not editable.
    package func canEdit(_ token: DesignToken) -> Bool {
        sheets.mainSheet != nil && (token.isAppOwned || !nonRootProperties.contains(token.name))
    }

    /// The selectors of the root, for any or one appearance.
    private static let rootSelectors: Set<String> = [":root", "html", ":root.light", ":root.dark"]

    /// Adds a custom property: as a token, as its dark value or as a variant.
    private mutating func add(
        _ declaration: StyleSheet.Declaration, _ rule: StyleSheet.Rule,
        _ sheet: AppStyleSheets.SheetFile
    ) {
        guard !Self.rootSelectors.isDisjoint(with: CSSText.arguments(rule.selector)) else {
            nonRootProperties.insert(declaration.name)
            return
        }
        guard let index = tokens.firstIndex(where: { $0.name == declaration.name }) else {
            return tokens.append(DesignToken(declaration, in: sheet))
        }
        if rule.conditions.isEmpty, !rule.selector.contains(".") {
            // A later declaration overrides an earlier one.
            tokens[index] = DesignToken(declaration, in: sheet)
        } else if rule.selector.contains(".dark")
            || rule.conditions.contains(where: {
                $0.contains("prefers-color-scheme") && $0.contains("dark")
            })
        {
            tokens[index].darkValue = declaration.value
        } else {
            let condition = rule.conditions + (rule.selector == ":root" ? [] : [rule.selector])
            tokens[index].variants.append(
                .init(condition: condition.joined(separator: " "), value: declaration.value))
        }
    }
}
