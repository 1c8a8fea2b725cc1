extension Screen {
    init(_ node: ManifestNode, id: String) throws(ManifestError) {
        try node.allowOnly(
            "kind", "title", "text", "textNeeds", "textOtherwise", "needs",
            "tabs", "fields", "rules", "errors", "validate", "submit", "actions",
            "links", "load", "goWhen")
        fields = node.members("fields", Field.init(_:name:))
        rules = node.list("rules", FieldsRule.init(_:))
        submitAction = node["submit"]?.attempt { node throws(ManifestError) in
            try Action(node, name: Action.submitName)
        }
        actions = node.members("actions", Action.makeAction)
        links = node.members("links", Link.init(_:name:))
        self.id = try node.identifier(id)
        kind = try node.require("kind").choice()
        title = try node.require("title").string()
        text = try node["text"]?.string()
        textRequiredNames = try node["textNeeds"]?.strings() ?? []
        fallbackText = try node["textOtherwise"]?.string()
        requirement = try node["needs"]?.choice()
        navigationRules = node.navigationRules("goWhen")
        tabs = try node["tabs"]?.strings() ?? []
        errorPlacement = try node["errors"]?.choice() ?? .field
        validation = try Validation(node["validate"])
        callsOnLoad = try node["load"]?.strings() ?? []
    }
}

extension Screen.Validation {
    /// `submit`, or `{ debounce: 500 }`.
    init(_ node: ManifestNode?) throws(ManifestError) {
        guard let node else {
            self = .submit
            return
        }
        if case .string("submit") = node.document.value {
            self = .submit
            return
        }
        guard case .object = node.document.value else {
            throw node.typeError("'submit' or an object", example: "{ debounce: 500 }")
        }
        try node.allowOnly("debounce")
        self = .debounce(try node.require("debounce").int(in: 0...10_000))
    }
}

extension Screen.FieldsRule {
    init(_ node: ManifestNode) throws(ManifestError) {
        fields = try node.require("fields").strings()
        rule = try Rule(node, allowing: ["fields"])
        guard !fields.isEmpty else {
            throw node.error("A rule needs a field", "List its fields in fields.")
        }
    }
}

extension Screen.Link {
    /// `'screen'`, or `{ screen, label }`.
    init(_ node: ManifestNode, name: String) throws(ManifestError) {
        self.name = try node.identifier(name)
        if case .string(let screen) = node.document.value {
            self.screen = screen
            label = nil
        } else {
            try node.allowOnly("screen", "label")
            screen = try node.require("screen").string()
            label = try node["label"]?.string()
        }
    }
}
