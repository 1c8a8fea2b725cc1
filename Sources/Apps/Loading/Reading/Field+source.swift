extension Field {
    init(_ source: Source, name: String) throws(ManifestError) {
        try source.only(
            "type", "label", "placeholder", "options", "initial", "trim",
            "rules", "allowEmpty", "prefill", "link", "purpose", "returns",
            "strength")
        rules = source.list("rules", Rule.alone)
        self.name = try source.identifier(name)
        type = try source.need("type").choice()
        label = try source.need("label").string()
        placeholder = try source["placeholder"]?.string()
        purpose = try source["purpose"]?.purpose()
        options = source.list("options", Option.init(_:))
        initial = try source["initial"]?.scalar()
        // A password keeps every space somebody chose.
        trim = try source["trim"]?.bool() ?? (type != .password)
        allowEmpty = try source["allowEmpty"]?.bool() ?? false
        prefill = try source["prefill"]?.name(ofItsOwn: name)
        returns = try source["returns"]?.choice()
        strength = try source["strength"]?.strings() ?? []
        link = nil
        if let source = source["link"] { link = try Link(source, within: label) }
        try checkOptions(source)
    }

    private func checkOptions(_ source: Source) throws(ManifestError) {
        guard (type == .choice) == !options.isEmpty else {
            throw source.error(
                type == .choice ? "a choice has no options" : "only a choice has options",
                "Write type: 'choice' and options: [{ value, label }].")
        }
        if type == .choice, let initial, let source = source["initial"],
            !options.contains(where: { $0.value == initial })
        {
            throw source.error(
                "\(initial) is none of the options", Nearest.mend(initial, options.map(\.value)))
        }
    }
}

extension Field.Link {
    /// `'https://…'`, or `{ text, href }` with a part of the label.
    init(_ source: Source, within label: String) throws(ManifestError) {
        if case .string = source.outline.value {
            href = try source.link()
            text = nil
            return
        }
        try source.only("text", "href")
        href = try source.need("href").link()
        let text = try source.need("text").string()
        guard !text.isEmpty, label.contains(text) else {
            throw source.error(
                "'\(text)' is no part of the label '\(label)'",
                "Write the words of the label that are the link.")
        }
        self.text = text
    }
}

extension Field.Option {
    init(_ source: Source) throws(ManifestError) {
        try source.only("value", "label", "text")
        value = try source.need("value").string()
        label = try source.need("label").string()
        text = try source["text"]?.string()
    }
}

extension Rule {
    /// A field's own.
    static func alone(_ source: Source) throws(ManifestError) -> Rule { try Rule(source) }

    /// The one test among the members, its message, and members `besides`
    /// that somebody else reads.
    init(_ whole: Source, besides: [String] = []) throws(ManifestError) {
        let source = whole
        let tests = ["required", "pattern", "min", "max", "same", "oneOf"]
        var test: Test?
        for (name, source) in try source.members() {
            switch name {
            case "message", "live": continue
            case _ where besides.contains(name): continue
            case _ where !tests.contains(name):
                let known = tests + besides + ["message", "live"]
                source.mistakes.note(
                    source.error("\(name) is not known here", Nearest.mend(name, known)),
                    member: name, in: whole.path, meaning: nil)
                continue
            default: break
            }
            guard test == nil else {
                throw source.error(
                    "a rule tests one thing", "Write two rules, in the order they are to be told.")
            }
            test = try Test(source, named: name)
        }
        guard let test else {
            throw source.error(
                "a rule tests nothing", "Give it one of \(tests.joined(separator: ", ")).")
        }
        self.test = test
        message = try source.need("message").string()
        live = try source["live"]?.bool() ?? false
    }
}

extension Rule.Test {
    fileprivate init(_ source: Source, named name: String) throws(ManifestError) {
        switch name {
        case "pattern":
            let text = try source.string()
            do throws(PatternFailure) { self = .pattern(try Pattern(text)) } catch {
                throw source.error(error.detail, error.mend)
            }
        case "min": self = .min(try source.int(in: 0...4096))
        case "max": self = .max(try source.int(in: 0...4096))
        case "same": self = .same(field: try source.string())
        case "oneOf": self = .oneOf(try source.strings())
        default:
            guard try source.bool() else {
                throw source.error("required: false asks for nothing", "Take the rule out.")
            }
            self = .required
        }
    }
}

extension Source {
    /// A name, or `true` for `own`.
    fileprivate func name(ofItsOwn own: String) throws(ManifestError) -> String? {
        if case .bool(let isOwn) = outline.value { return isOwn ? own : nil }
        return try string()
    }

    /// HTML, 4.10.18.7: the tokens for what forms of these apps ask.
    fileprivate func purpose() throws(ManifestError) -> String {
        let known = [
            "off", "name", "given-name", "family-name", "nickname",
            "username", "email", "tel", "organization", "current-password",
            "new-password", "one-time-code",
        ]
        let text = try string()
        guard known.contains(text) else {
            throw error("a browser knows no \(text)", Nearest.mend(text, known))
        }
        return text
    }

    /// A page outside: https only, for it becomes a link.
    fileprivate func link() throws(ManifestError) -> String {
        let text = try string()
        guard text.hasPrefix("https://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw error("\(text) is no link", "Write an https:// URL.")
        }
        return text
    }
}
