import Web

extension ManifestCheck {
    /// Variables that every device provides.
    static let deviceVariables = ["device.uuid", "device.build", "device.biometrics"]

    /// Checks that every `{name}` has a source where it is used.
    func checkVariables() {
        for (path, name, call) in declaredCalls {
            checkRequest(call.request, of: name, at: path + ["request"])
            for (path, failure) in failures(of: call, at: path) {
                checkText(failure.message, also: ["status", "message"], at: path + ["message"])
            }
            for (memory, value) in call.valuesToRemember {
                checkText(value, at: path + ["remember", memory])
            }
        }
        checkText(
            app.network.messages.serverError, also: ["status"],
            at: ["network", "messages", "server"])
        checkText(app.session.expired?.message, at: ["session", "expired", "message"])
        for key in app.storage { checkText(key.value, at: ["storage", key.key, "value"]) }
        for screen in app.screens { checkTexts(of: screen) }
    }

    private func checkTexts(of screen: Screen) {
        let path = ["screens", screen.id]
        checkText(screen.title, at: path + ["title"])
        checkText(screen.text, at: path + ["text"])
        checkText(screen.fallbackText, at: path + ["textOtherwise"])
        for action in screen.allActions {
            let path =
                action.name == Action.submitName
                ? path + ["submit"] : path + ["actions", action.name]
            checkText(action.label, at: path + ["label"])
            checkText(action.biometricCheck?.missingMessage, at: path + ["biometric", "missing"])
            checkText(action.toast, at: path + ["toast"])
            checkText(action.notice, at: path + ["notice"])
            checkText(action.alert?.text, at: path + ["alert", "text"])
            checkText(action.confirmation?.text, at: path + ["confirm", "text"])
            checkText(action.onFailure.text, also: ["message"], at: path + ["onFailure", "text"])
        }
    }

    // MARK: Texts and requests

    /// A text may use any field of the app, because it may be shown after the field was filled in.
    private func checkText(_ text: String?, also: [String] = [], at path: [String]) {
        guard let text else { return }
        check(
            TextTemplate(text).variableNames, among: fields(of: app.screens), also: also, at: path)
    }

    /// A call may only use fields that every screen making it has.
    private func checkRequest(_ request: RequestTemplate, of name: String, at path: [String]) {
        let callingScreens = app.screens(using: name)
        let variables = request.variables(at: path)
        let isMadeWithoutScreen =
            app.launch.contains { $0.calls.contains(name) } || app.session.refreshCall == name
            || app.session.probeCall == name
        for (variable, path) in variables {
            if callingScreens.isEmpty || isMadeWithoutScreen {
                check([variable], among: [], at: path)
            }
            for screen in callingScreens {
                check([variable], among: fields(of: [screen]), at: path)
            }
        }
    }

    private func check(
        _ variables: [String], among fields: [NamedPart], also: [String] = [], at path: [String]
    ) {
        let settings = app.settings.map { (name: $0.name, path: ["settings", $0.name]) }
        let providers = fields + settings + heldParts
        for name in variables
        where !providers.contains(where: { $0.name == name }) && !also.contains(name)
            && !Self.deviceVariables.contains(name)
        {
            let root = name.split(separator: ".").first.map(String.init)
            if let root, heldNames.contains(root) { continue }
            let otherNames = (also + Self.deviceVariables).map { (name: $0, path: path) }
            reportUnknown(
                name, at: path, "Unknown variable {\(name)}", among: providers + otherNames)
        }
    }
}

extension RequestTemplate {
    /// Whether the request sends the value `name`: as its bearer, or in its query, headers or body.
    package func carries(_ name: String) -> Bool {
        bearerName == name || variables(at: []).contains { $0.name == name }
    }

    /// Every variable with its path in the manifest.
    func variables(at path: [String]) -> [(name: String, path: [String])] {
        var result: [(name: String, path: [String])] = []
        let add = { (text: String, path: [String]) in
            result += TextTemplate(text).variableNames.map { ($0, path) }
        }
        add(self.path, path + ["path"])
        if let base { add(base, path + ["base"]) }
        for pair in query { add(pair.value, path + ["query", pair.name]) }
        for pair in headers { add(pair.value, path + ["headers", pair.name]) }
        switch body {
        case .none: break
        case .form(let pairs): for pair in pairs { add(pair.value, path + ["form", pair.name]) }
        case .json(let json): json.forEachString(at: path + ["json"], add)
        }
        return result
    }
}

extension JSON {
    /// Calls `body` with every string of the value and its path.
    func forEachString(at path: [String], _ body: (String, [String]) -> Void) {
        switch self {
        case .string(let text): body(text, path)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                element.forEachString(at: path + ["\(index)"], body)
            }
        case .object(let members):
            for member in members { member.value.forEachString(at: path + [member.name], body) }
        default: break
        }
    }
}
