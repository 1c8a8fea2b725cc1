/// Walks a manifest along its grammar and picks up what people read.
///
/// The places are named, not guessed: `text` in a call's body is data, `text`
/// of a confirmation is read.
struct TextCollector {
    let app: App
    private(set) var texts: [ManifestText] = []

    init(app: App) { self.app = app }

    private typealias Kind = ManifestText.Kind

    mutating func collect(_ root: JSON5Document) {
        let everywhere = app.screens.map(\.id)
        addFromRoot(root, ["name"], .title, everywhere)
        for (id, screen) in members(root, ["screens"]) { collect(screen, id: id) }
        let calls = members(root, ["calls"])
        for (name, call) in calls {
            collectFailures(call, ["calls", name], screens(calling: name))
        }
        for (id, backend) in members(root, ["backends"]) {
            let path = ["backends", id]
            add(backend, path, ["badge"], .badge, everywhere)
            for (name, call) in members(backend, ["calls"]) {
                collectFailures(call, path + ["calls", name], screens(calling: name))
            }
        }
        let calling = app.screens.filter { screen in
            screen.kind == .launch || screen.allActions.contains { !$0.calls.isEmpty }
        }.map(\.id)
        addFromList(root, [], "failures", "message", .failure, calling)
        for (name, setting) in members(root, ["settings"]) {
            add(setting, ["settings", name], ["missing"], .setting, calling)
        }
        collectNetwork(root, calling)
        if let lost = app.session.expired {
            for name in ["message", "title"] {
                addFromRoot(root, ["session", "lost", name], .session, [lost.destination])
            }
        }
        for (index, row) in elements(root, ["launch"]).enumerated() {
            addFromList(
                row, ["launch", String(index)], "goWhen", "notice", .notice,
                app.screens.filter { $0.kind == .launch }.map(\.id))
        }
    }

    // MARK: Screens

    private mutating func collect(_ screen: JSON5Document, id: String) {
        let path = ["screens", id]
        let here = [id]
        add(screen, path, ["title"], .title, here)
        add(screen, path, ["text"], .text, here)
        add(screen, path, ["textOtherwise"], .text, here)
        for (name, field) in members(screen, ["fields"]) {
            let path = path + ["fields", name]
            add(field, path, ["label"], .label, here)
            add(field, path, ["placeholder"], .placeholder, here)
            addFromList(field, path, "options", "label", .option, here)
            addFromList(field, path, "options", "text", .option, here)
            for (index, word) in elements(field, ["strength"]).enumerated() {
                append(word, path + ["strength", String(index)], .strength, here)
            }
            addFromList(field, path, "rules", "message", .rule, here)
        }
        addFromList(screen, path, "rules", "message", .rule, here)
        if let submit = member(screen, ["submit"]) {
            collectAction(submit, path + ["submit"], here)
        }
        for (name, one) in members(screen, ["actions"]) {
            collectAction(one, path + ["actions", name], here)
        }
        for (name, link) in members(screen, ["links"]) {
            add(link, path + ["links", name], ["label"], .link, here)
        }
        addFromList(screen, path, "goWhen", "notice", .notice, here)
    }

    private mutating func collectAction(_ action: JSON5Document, _ path: [String], _ here: [String])
    {
        let places: [([String], Kind)] = [
            (["label"], .label), (["hint"], .hint),
            (["confirm", "title"], .confirm), (["confirm", "text"], .confirm),
            (["confirm", "yes"], .confirm), (["confirm", "no"], .confirm),
            (["toast"], .toast), (["notice"], .notice),
            (["alert", "title"], .alert), (["alert", "text"], .alert),
            (["alert", "ok"], .alert), (["biometric", "reason"], .prompt),
            (["biometric", "failed"], .failure),
            (["biometric", "missing"], .failure),
            (["onFailure", "title"], .alert),
            (["onFailure", "text"], .failure),
        ]
        for (place, kind) in places { add(action, path, place, kind, here) }
        addFromList(action, path, "goWhen", "notice", .notice, here)
    }

    private mutating func collectFailures(
        _ call: JSON5Document, _ path: [String], _ screens: [String]
    ) {
        addFromList(call, path, "failures", "message", .failure, screens)
    }

    /// Also what the manifest leaves to Foyer, without a line.
    private mutating func collectNetwork(_ root: JSON5Document, _ screens: [String]) {
        let path = ["network", "messages"]
        let messages = app.network.messages
        let all: [(String, String?)] = [
            ("offline", messages.offline), ("timeout", messages.timeout),
            ("refused", messages.connectionRefused),
            ("connection", messages.connection),
            ("invalidResponse", messages.invalidResponse),
            ("server", messages.serverError),
        ]
        for (name, text) in all {
            if member(root, path + [name]) != nil {
                addFromRoot(root, path + [name], .network, screens)
            } else if let text {
                texts.append(
                    .init(
                        text: text, kind: .network, path: path + [name], line: nil, screens: screens
                    ))
            }
        }
    }

    /// The screens from which `call` is made.
    private func screens(calling call: String) -> [String] {
        let launching = app.launch.contains { $0.calls.contains(call) }
        return app.screens.filter { screen in
            screen.callsOnLoad.contains(call) || screen.kind == .launch && launching
                || screen.allActions.contains { $0.allCalls.contains(call) }
        }.map(\.id)
    }

    // MARK: Walking

    /// `name` of every element of the list `list`.
    private mutating func addFromList(
        _ document: JSON5Document, _ path: [String], _ list: String, _ name: String,
        _ kind: ManifestText.Kind, _ screens: [String]
    ) {
        for (index, row) in elements(document, [list]).enumerated() {
            add(row, path + [list, String(index)], [name], kind, screens)
        }
    }

    private mutating func addFromRoot(
        _ root: JSON5Document, _ path: [String], _ kind: ManifestText.Kind, _ screens: [String]
    ) { add(root, [], path, kind, screens) }

    private mutating func add(
        _ document: JSON5Document, _ path: [String], _ place: [String], _ kind: ManifestText.Kind,
        _ screens: [String]
    ) {
        guard let found = member(document, place) else { return }
        append(found, path + place, kind, screens)
    }

    private mutating func append(
        _ document: JSON5Document, _ path: [String], _ kind: ManifestText.Kind, _ screens: [String]
    ) {
        guard case .string(let text) = document.value, !text.isEmpty else { return }
        texts.append(
            .init(text: text, kind: kind, path: path, line: document.line, screens: screens))
    }

    private func member(_ document: JSON5Document, _ path: [String]) -> JSON5Document? {
        var here = document
        for name in path {
            guard case .object(let members) = here.value,
                let member = members.first(where: { $0.name == name })
            else { return nil }
            here = member.value
        }
        return here
    }

    private func members(_ document: JSON5Document, _ path: [String]) -> [(
        name: String, value: JSON5Document
    )] {
        guard case .object(let members) = member(document, path)?.value else { return [] }
        return members.map { ($0.name, $0.value) }
    }

    private func elements(_ document: JSON5Document, _ path: [String]) -> [JSON5Document] {
        guard case .array(let elements) = member(document, path)?.value else { return [] }
        return elements
    }
}
