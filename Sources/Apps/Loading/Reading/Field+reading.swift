extension Field {
    init(_ node: ManifestNode, name: String) throws(ManifestError) {
        try node.allowOnly(
            "type", "label", "placeholder", "options", "initial", "trim",
            "rules", "allowEmpty", "prefill", "link", "purpose", "returns",
            "strength")
        rules = node.list("rules", Rule.makeFieldRule)
        self.name = try node.identifier(name)
        type = try node.require("type").choice()
        label = try node.require("label").string()
        placeholder = try node["placeholder"]?.string()
        autocomplete = try node["purpose"]?.autocomplete()
        options = node.list("options", Option.init(_:))
        initialValue = try node["initial"]?.scalarText()
        // Spaces in a password are significant.
        trimsWhitespace = try node["trim"]?.bool() ?? (type != .password)
        allowsEmpty = try node["allowEmpty"]?.bool() ?? false
        prefillName = try node["prefill"]?.name(defaultingTo: name)
        returnKey = try node["returns"]?.choice()
        strengthLabels = try node["strength"]?.strings() ?? []
        link = nil
        if let node = node["link"] { link = try Link(node, within: label) }
        try checkOptions(node)
    }

    private func checkOptions(_ node: ManifestNode) throws(ManifestError) {
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
}

extension Field.Link {
    /// `'https://…'`, or `{ text, href }` where `text` is a part of the label.
    init(_ node: ManifestNode, within label: String) throws(ManifestError) {
        if case .string = node.document.value {
            href = try node.httpsURL()
            text = nil
            return
        }
        try node.allowOnly("text", "href")
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

extension Field.Option {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly("value", "label", "text")
        value = try node.require("value").string()
        label = try node.require("label").string()
        text = try node["text"]?.string()
    }
}

extension Rule {
    static func makeFieldRule(_ node: ManifestNode) throws(ManifestError) -> Rule { try Rule(node) }

    /// Reads the one test among the members and its message. Members in `allowing` are read by the
    /// caller.
    init(_ ruleNode: ManifestNode, allowing: [String] = []) throws(ManifestError) {
        let node = ruleNode
        let tests = ["required", "pattern", "min", "max", "same", "oneOf"]
        var test: Test?
        for (name, node) in try node.members() {
            switch name {
            case "message", "live": continue
            case _ where allowing.contains(name): continue
            case _ where !tests.contains(name):
                let allowed = tests + allowing + ["message", "live"]
                node.diagnostics.record(
                    node.error(
                        "Unknown key", SpellingSuggestion.fix(name, allowed, label: "Valid keys")),
                    member: name, in: ruleNode.path, meaning: nil)
                continue
            default: break
            }
            guard test == nil else {
                throw node.error(
                    "A rule has one test", "Write two rules, in the order they are reported.")
            }
            test = try Test(node, named: name)
        }
        guard let test else {
            throw node.error(
                "A rule needs a test", "Add one of \(tests.joined(separator: ", ")).")
        }
        self.test = test
        message = try node.require("message").string()
        isLive = try node["live"]?.bool() ?? false
    }
}

extension Rule.Test {
    fileprivate init(_ node: ManifestNode, named name: String) throws(ManifestError) {
        switch name {
        case "pattern":
            let text = try node.string()
            do throws(PatternError) { self = .pattern(try Pattern(text)) } catch {
                throw node.error(error.detail, error.fix)
            }
        case "min": self = .min(try node.int(in: 0...4096))
        case "max": self = .max(try node.int(in: 0...4096))
        case "same": self = .same(field: try node.string())
        case "oneOf": self = .oneOf(try node.strings())
        default:
            guard try node.bool() else {
                throw node.error("required: false has no effect", "Remove the rule.")
            }
            self = .required
        }
    }
}

extension ManifestNode {
    /// A name, or `defaultName` for `true`.
    fileprivate func name(defaultingTo defaultName: String) throws(ManifestError) -> String? {
        if case .bool(let usesDefault) = document.value { return usesDefault ? defaultName : nil }
        return try string()
    }

    /// HTML, 4.10.18.7: the tokens for the fields of these apps.
    fileprivate func autocomplete() throws(ManifestError) -> String {
        let allowed = [
            "off", "name", "given-name", "family-name", "nickname",
            "username", "email", "tel", "organization", "current-password",
            "new-password", "one-time-code",
        ]
        let text = try string()
        guard allowed.contains(text) else {
            throw error("Invalid purpose \(text)", SpellingSuggestion.fix(text, allowed))
        }
        return text
    }

    /// An external page: https only, because it becomes a link.
    fileprivate func httpsURL() throws(ManifestError) -> String {
        let text = try string()
        guard text.hasPrefix("https://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw error("Invalid link \(text)", "Write an https:// URL.")
        }
        return text
    }
}
