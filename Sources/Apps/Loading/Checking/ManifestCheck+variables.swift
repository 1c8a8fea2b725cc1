import Web

extension ManifestCheck {
    /// What every device can tell.
    static let deviceFacts = [
        "device.uuid", "device.build", "device.biometrics",
    ]

    /// Every `{name}` must be provided by something where it is used.
    func checkVariables() throws(ManifestError) {
        for (path, name, call) in app.everyCall {
            try checkRequest(call.request, of: name, at: path + ["request"])
            for (index, failure) in call.failures.enumerated() {
                try checkText(
                    failure.message, also: ["status", "message"],
                    at: path + ["failures", "\(index)", "message"])
            }
            for (memory, value) in call.remember {
                try checkText(value, at: path + ["remember", memory])
            }
        }
        try checkText(
            app.network.messages.server, also: ["status"],
            at: ["network", "messages", "server"])
        try checkText(
            app.session.lost?.message, at: ["session", "lost", "message"])
        for key in app.storage {
            try checkText(key.value, at: ["storage", key.key, "value"])
        }
        for screen in app.screens { try checkTexts(of: screen) }
    }

    private func checkTexts(of screen: Screen) throws(ManifestError) {
        let path = ["screens", screen.id]
        try checkText(screen.title, at: path + ["title"])
        try checkText(screen.text, at: path + ["text"])
        try checkText(screen.textOtherwise, at: path + ["textOtherwise"])
        for action in screen.allActions {
            let path =
                action.name == Action.submitName
                ? path + ["submit"] : path + ["actions", action.name]
            try checkText(action.label, at: path + ["label"])
            try checkText(
                action.biometric?.missing, at: path + ["biometric", "missing"])
            try checkText(action.toast, at: path + ["toast"])
            try checkText(action.notice, at: path + ["notice"])
            try checkText(action.alert?.text, at: path + ["alert", "text"])
            try checkText(action.confirm?.text, at: path + ["confirm", "text"])
            try checkText(
                action.onFailure.text, also: ["message"],
                at: path + ["onFailure", "text"])
        }
    }

    // MARK: One text

    /// A text may speak of any field, for it is shown after one was filled.
    private func checkText(
        _ text: String?, also: [String] = [], at path: [String]
    ) throws(ManifestError) {
        guard let text else { return }
        let fields = app.screens.flatMap { $0.fields.map(\.name) }
        try check(TextTemplate(text).names, among: fields + also, at: path)
    }

    /// A call may only use the fields of each screen that makes it.
    private func checkRequest(
        _ request: RequestTemplate, of name: String, at path: [String]
    ) throws(ManifestError) {
        let users = app.screens(using: name)
        let used = request.variables(at: path)
        let launched =
            app.launch.contains { $0.calls.contains(name) }
            || app.session.refresh == name || app.session.probe == name
        for (variable, path) in used {
            if users.isEmpty || launched {
                try check([variable], among: [], at: path)
            }
            for screen in users {
                try check(
                    [variable], among: screen.fields.map(\.name), at: path)
            }
        }
    }

    private func check(
        _ names: [String], among fields: [String], at path: [String]
    ) throws(ManifestError) {
        let settings = app.settings.map(\.name)
        let known = fields + settings + Array(held) + Self.deviceFacts
        for name in names where !known.contains(name) {
            let root = name.split(separator: ".").first.map(String.init)
            if let root, held.contains(root) { continue }
            throw wrong(
                path, "nothing provides {\(name)}", Nearest.mend(name, known))
        }
    }
}

extension RequestTemplate {
    /// Whether the value `name` leaves with it: as its bearer, or in its
    /// query, its headers or its body.
    package func carries(_ name: String) -> Bool {
        bearer == name || variables(at: []).contains { $0.name == name }
    }

    /// Every variable with where it stands.
    func variables(at path: [String]) -> [(name: String, path: [String])] {
        var found: [(name: String, path: [String])] = []
        let add = { (text: String, path: [String]) in
            found += TextTemplate(text).names.map { ($0, path) }
        }
        add(self.path, path + ["path"])
        if let base { add(base, path + ["base"]) }
        for pair in query { add(pair.value, path + ["query", pair.name]) }
        for pair in headers { add(pair.value, path + ["headers", pair.name]) }
        switch body {
        case .none: break
        case .form(let pairs):
            for pair in pairs { add(pair.value, path + ["form", pair.name]) }
        case .json(let json): json.eachText(at: path + ["json"], add)
        }
        return found
    }
}

extension JSON {
    /// Every string in it, with where it stands.
    func eachText(at path: [String], _ body: (String, [String]) -> Void) {
        switch self {
        case .string(let text): body(text, path)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                element.eachText(at: path + ["\(index)"], body)
            }
        case .object(let members):
            for member in members {
                member.value.eachText(at: path + [member.name], body)
            }
        default: break
        }
    }
}
