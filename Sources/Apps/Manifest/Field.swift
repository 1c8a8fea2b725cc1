/// A field of a form.
package struct Field: Sendable, Equatable {
    package var name: String
    package var type: Kind
    package var label: String
    /// Shown in an empty field; nil shows the label.
    package var placeholder: String?
    /// The HTML autocomplete token; nil derives it from the type.
    package var autocomplete: String?
    /// Options of a `choice` field.
    package var options: [Option]
    package var initialValue: String?
    /// Leading and trailing white space is removed before rules and calls.
    package var trimsWhitespace: Bool
    /// In order; the first that fails provides the field's error.
    package var rules: [Rule]
    /// An empty value breaks no rule, so that an untouched field shows no error. `enabled: 'valid'`
    /// still requires a valid value.
    package var allowsEmpty: Bool
    /// The name of the field's initial value: an address entered before.
    package var prefillName: String?
    /// A page the label links to: terms, a policy.
    package var link: Link?
    /// The keyboard's return key; nil submits the form and shows the keyboard's default label.
    package var returnKey: ReturnKey?
    /// Password strength labels, weakest first; empty shows no strength.
    package var strengthLabels: [String]

    init(_ node: ManifestNode, name: String) throws {
        try node.allowOnly([
            "type", "label", "placeholder", "options", "initial", "trim", "rules", "allowEmpty",
            "prefill", "link", "purpose", "returns", "strength",
        ])
        self.name = try node.identifier(name)
        type = try node.require("type").choice()
        label = try node.require("label").text(.label)
        placeholder = try node["placeholder"]?.text(.placeholder)
        options = node.list("options", Option.init)
        strengthLabels = try node["strength"]?.texts(.strength) ?? []
        rules = node.list("rules") { try Rule($0) }
        autocomplete = try node["purpose"]?.choice(of: Self.autocompleteTokens, "purpose")
        initialValue = try node["initial"]?.scalarText()
        // Spaces in a password are significant.
        trimsWhitespace = try node["trim"]?.bool() ?? (type != .password)
        allowsEmpty = try node["allowEmpty"]?.bool() ?? false
        prefillName = try node["prefill"]?.prefillName(of: name)
        returnKey = try node["returns"]?.choice()
        link = nil
        if let node = node["link"] { link = try Link(node, within: label) }
        try checkOptions(node)
    }

    /// HTML, 4.10.18.7: the tokens for the fields of these apps.
    private static let autocompleteTokens = [
        "off", "name", "given-name", "family-name", "nickname", "username", "email", "tel",
        "organization", "current-password", "new-password", "one-time-code",
    ]

    private func checkOptions(_ node: ManifestNode) throws {
        guard (type == .choice) == !options.isEmpty else {
            throw node.error(
                type == .choice ? "A choice needs options" : "Only a choice has options",
                "Write type: 'choice' and options: [{ value, label }].")
        }
        if type == .choice, let initial = initialValue, let node = node["initial"],
            !options.contains(where: { $0.value == initial })
        {
            throw node.error(
                "No option has the value \(initial)",
                SpellingSuggestion.fix(initial, options.map(\.value)))
        }
    }

    package enum ReturnKey: String, Sendable, CaseIterable {
        /// Moves to the next field.
        case next
        /// These submit the form; each is the label of the key.
        case done, go, send
    }

    package struct Link: Sendable, Equatable {
        package var href: String
        /// The part of the label that is the link; nil shows the link beside the label.
        package var text: String?

        /// `'https://…'`, or `{ text, href }` where `text` is a part of the label.
        init(_ node: ManifestNode, within label: String) throws {
            if case .string = node.document.value {
                href = try node.httpsURL()
                return
            }
            try node.allowOnly(["text", "href"])
            href = try node.require("href").httpsURL()
            let text = try node.require("text").string()
            guard !text.isEmpty, label.contains(text) else {
                throw node.error(
                    "'\(text)' is not part of the label '\(label)'",
                    "Write the part of the label that is the link.")
            }
            self.text = text
        }
    }

    package enum Kind: String, Sendable, CaseIterable {
        case text, email, password, code, toggle, choice, phone
    }

    package struct Option: Sendable, Equatable {
        package var value: String
        package var label: String
        package var text: String?

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["value", "label", "text"])
            value = try node.require("value").string()
            label = try node.require("label").text(.option)
            text = try node["text"]?.text(.option)
        }
    }
}

extension ManifestNode {
    /// A captured name, or the field's name for `true`.
    fileprivate func prefillName(of field: String) throws -> String? {
        guard case .bool(let usesField) = document.value else { return try reference(.prefill) }
        return usesField ? refer(to: field, .prefill) : nil
    }

    /// An external page: https only, because it becomes a link.
    fileprivate func httpsURL() throws -> String {
        let text = try string()
        guard text.hasPrefix("https://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw error("Invalid link \(text)", "Write an https:// URL.")
        }
        return text
    }
}
