extension Screen {
    init(_ source: Source, id: String) throws(ManifestError) {
        try source.only(
            "kind", "title", "text", "textOtherwise", "needs", "tabs",
            "fields", "rules", "errors", "validate", "submit", "actions",
            "links", "load", "goWhen")
        self.id = try source.identifier(id)
        kind = try source.need("kind").choice()
        title = try source.need("title").string()
        text = try source["text"]?.string()
        textOtherwise = try source["textOtherwise"]?.string()
        needs = try source["needs"]?.choice()
        goWhen = try source.rows("goWhen")
        tabs = try source["tabs"]?.strings() ?? []
        fields = []
        for (name, source) in try source["fields"]?.members() ?? [] {
            fields.append(try Field(source, name: name))
        }
        rules = []
        for source in try source["rules"]?.elements() ?? [] {
            rules.append(try FieldsRule(source))
        }
        errors = try source["errors"]?.choice() ?? .field
        validate = try Validation(source["validate"])
        submit = nil
        if let source = source["submit"] {
            submit = try Action(source, name: Action.submitName)
        }
        actions = []
        for (name, source) in try source["actions"]?.members() ?? [] {
            guard name != Action.submitName, name != Action.checkName else {
                throw source.error(
                    "\(name) is the form's own",
                    "Write submit as the screen's submit, or rename it.")
            }
            actions.append(try Action(source, name: name))
        }
        links = []
        for (name, source) in try source["links"]?.members() ?? [] {
            links.append(try Link(source, name: name))
        }
        load = try source["load"]?.strings() ?? []
    }
}

extension Screen.Validation {
    /// `submit`, or `{ debounce: 500 }`.
    init(_ source: Source?) throws(ManifestError) {
        guard let source else {
            self = .submit
            return
        }
        if case .string("submit") = source.outline.value {
            self = .submit
            return
        }
        guard case .object = source.outline.value else {
            throw source.expected(
                "'submit' or a pause", like: "{ debounce: 500 }")
        }
        try source.only("debounce")
        self = .debounce(try source.need("debounce").int(in: 0...10_000))
    }
}

extension Screen.FieldsRule {
    init(_ source: Source) throws(ManifestError) {
        fields = try source.need("fields").strings()
        rule = try Rule(source, besides: ["fields"])
        guard !fields.isEmpty else {
            throw source.error("a rule names no field", "Name them in fields.")
        }
    }
}

extension Screen.Link {
    /// `'screen'`, or `{ screen, label }`.
    init(_ source: Source, name: String) throws(ManifestError) {
        self.name = try source.identifier(name)
        if case .string(let screen) = source.outline.value {
            self.screen = screen
            label = nil
        } else {
            try source.only("screen", "label")
            screen = try source.need("screen").string()
            label = try source["label"]?.string()
        }
    }
}
