extension Screen {
    init(_ source: Source, id: String) throws(ManifestError) {
        try source.only(
            "kind", "title", "text", "textNeeds", "textOtherwise", "needs",
            "tabs", "fields", "rules", "errors", "validate", "submit", "actions",
            "links", "load", "goWhen")
        fields = source.members("fields", Field.init(_:name:))
        rules = source.list("rules", FieldsRule.init(_:))
        submit = source["submit"]?.attempt { source throws(ManifestError) in
            try Action(source, name: Action.submitName)
        }
        actions = source.members("actions", Action.named)
        links = source.members("links", Link.init(_:name:))
        self.id = try source.identifier(id)
        kind = try source.need("kind").choice()
        title = try source.need("title").string()
        text = try source["text"]?.string()
        textNeeds = try source["textNeeds"]?.strings() ?? []
        textOtherwise = try source["textOtherwise"]?.string()
        needs = try source["needs"]?.choice()
        goWhen = source.rows("goWhen")
        tabs = try source["tabs"]?.strings() ?? []
        errors = try source["errors"]?.choice() ?? .field
        validate = try Validation(source["validate"])
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
            throw source.expected("'submit' or a pause", like: "{ debounce: 500 }")
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
