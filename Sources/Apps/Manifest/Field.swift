package import Web

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
    /// The height of a text that may have several lines; nil for a text without line breaks.
    package var lines: Int?

    init(_ node: ManifestNode, name: String) throws {
        try node.allowOnly([
            "type", "label", "placeholder", "options", "initial", "trim", "rules", "allowEmpty",
            "prefill", "link", "purpose", "returns", "strength",
            "lines",
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
        lines = try node["lines"]?.int(in: 2...20)
        link = nil
        if let node = node["link"] { link = try Link(node, within: label) }
        try checkOptions(node)
        if type != .text || returnKey != nil {
            node["lines"]?.report(
                "Only a text without returns has lines",
                "Write type: 'text', and leave the return key to line breaks.")
        }
    }

    /// The most characters that its rules allow.
    package var maxLength: Int? {
        rules.compactMap { if case .max(let most) = $0.test { most } else { nil } }.min()
    }

    /// HTML, 4.10.18.7: the tokens for the fields of these apps.
    private static let autocompleteTokens = [
        "off", "name", "given-name", "family-name", "nickname", "username", "email", "tel",
        "organization", "current-password", "new-password", "one-time-code",
    ]

    private func checkOptions(_ node: ManifestNode) throws {
        try node.check(
            (type == .choice) == !options.isEmpty,
            type == .choice ? "A choice needs options" : "Only a choice has options",
            "Write type: 'choice' and options: [{ value, label }].")
        guard type == .choice, let initial = initialValue else { return }
        let values = options.map(\.value)
        try node["initial"]?.check(
            values.contains(initial), "No option has the value \(initial)",
            SpellingSuggestion.fix(initial, values))
    }

    /// The keyboard's return key, by its label.
    package enum ReturnKey: String, Sendable, CaseIterable {
        /// Moves to the next field.
        case next
        /// These submit the form; each is the label of the key.
        case done, go, send
    }

    /// A link in or beside the field's label.
    package struct Link: Sendable, Equatable {
        package var href: String
        /// The part of the label that is the link; nil shows the link beside the label.
        package var text: String?

        /// `'https://…'`, or `{ text, href }` where `text` is a part of the label.
        init(_ node: ManifestNode, within label: String) throws {
            if case .string = node.value {
                href = try node.httpsURL()
                return
            }
            try node.allowOnly(["text", "href"])
            href = try node.require("href").httpsURL()
            let text = try node.require("text").string()
            try node.check(
                !text.isEmpty && label.contains(text),
                "'\(text)' is not part of the label '\(label)'",
                "Write the part of the label that is the link.")
            self.text = text
        }
    }

    /// The control, its keyboard and its autofill.
    package enum Kind: String, Sendable, CaseIterable {
        case text, email, password, code, toggle, choice, phone
    }

    /// A value of a `choice`, with its explanation.
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
        guard case .bool(let usesField) = value else { return try reference(.prefill) }
        return usesField ? refer(to: field, .prefill) : nil
    }

    /// An external page: https only, because it becomes a link.
    fileprivate func httpsURL() throws -> String {
        let text = try string()
        try check(
            text.hasPrefix("https://") && text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            "Invalid link \(text)", "Write an https:// URL.")
        return text
    }
}

extension Field {
    /// A submitted value as rules and calls use it: trimmed if the field trims (ECMAScript's white
    /// space). Browsers send line breaks as CRLF.
    package func normalized(_ value: String) -> String {
        let value = lines == nil ? value : value.replacing("\r\n", with: "\n")
        return trimsWhitespace ? Self.trimmed(value) : value
    }

    /// The value as an identity: an email address is trimmed and lowercased.
    package func identityKey(_ value: String) -> String {
        type == .email ? Self.trimmed(value).lowercased() : normalized(value)
    }

    private static func trimmed(_ value: String) -> String {
        guard !value.isEmpty else { return value }
        let scalars = value.unicodeScalars
        let isSpace = ScalarSet.whitespace.contains
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    /// A form submits an enabled toggle as `on`, `true` or `1`, and omits a disabled one.
    package static func isOn(_ value: String) -> Bool {
        value == "on" || value == "true" || value == "1"
    }

    /// Whether a toggle is on, or another field is not empty.
    func isFilled(_ value: String) -> Bool { type == .toggle ? Self.isOn(value) : !value.isEmpty }

    /// The value as a call's variable: a boolean for a toggle, text for other fields.
    package func variableValue(_ value: String) -> JSON {
        type == .toggle ? .bool(Self.isOn(value)) : .string(normalized(value))
    }

    /// The strength of a password by its length and character classes: 1 for the first of
    /// `strengthLabels`, 0 for an empty value or without labels.
    package func strengthLevel(of value: String) -> Int {
        guard !strengthLabels.isEmpty, !value.isEmpty else { return 0 }
        let points = Self.strengthChecks.count { $0(value) }
        return min(strengthLabels.count, 1 + points * strengthLabels.count / 6)
    }

    private static let strengthChecks: [@Sendable (String) -> Bool] = [
        { $0.unicodeScalars.count >= 8 }, { $0.unicodeScalars.count >= 12 },
        { $0.contains(where: \.isLowercase) && $0.contains(where: \.isUppercase) },
        { $0.contains(where: \.isNumber) }, { $0.contains { !$0.isLetter && !$0.isNumber } },
    ]
}

/// A condition on a field's value and the message shown when it is not met.
package struct Rule: Sendable, Equatable {
    package var test: Test
    /// The test's key in the manifest.
    var testName: String
    package var message: String
    /// Also shown while typing, not only on submit.
    package var isLive: Bool

    /// Reads the one test among the members and its message. Members in `allowing` are read by the
    /// caller.
    init(_ node: ManifestNode, allowing: [String] = []) throws {
        let tests = ["required", "pattern", "min", "max", "same", "oneOf"]
        try node.allowOnly(tests + ["message", "live"] + allowing)
        let written = try node.members().filter { tests.contains($0.name) }
        if let second = written.dropFirst().first?.node {
            throw second.error(
                "A rule has one test", "Write two rules, in the order they are reported.")
        }
        guard let name = tests.first(where: { node[$0] != nil }) else {
            throw node.error("A rule needs a test", "Add one of \(tests.joined(separator: ", ")).")
        }
        test = try Test(node.require(name), named: name)
        testName = name
        message = try node.require("message").text(.rule)
        isLive = try node["live"]?.bool() ?? false
    }

    /// What the rule requires of the field's value.
    package enum Test: Sendable, Equatable {
        /// Not empty; for a toggle: on.
        case required
        /// The entire value matches.
        case pattern(Pattern)
        /// Minimum number of characters (Unicode scalars).
        case min(Int)
        case max(Int)
        /// Equal to another field's value.
        case same(field: String)
        /// One of these.
        case oneOf([String])

        fileprivate init(_ node: ManifestNode, named name: String) throws {
            switch name {
            case "pattern":
                let text = try node.string()
                do throws(PatternError) { self = .pattern(try Pattern(text)) } catch {
                    throw node.error(error.detail, error.fix)
                }
            case "min": self = .min(try node.int(in: 0...4096))
            case "max": self = .max(try node.int(in: 0...4096))
            case "same": self = .same(field: try node.reference(.field))
            case "oneOf": self = .oneOf(try node.strings())
            default:
                try node.check(try node.bool(), "required: false has no effect", "Remove the rule.")
                self = .required
            }
        }
    }
}
