/// Walks a manifest along its grammar and picks up what people read.
///
/// The places are named, not guessed: `text` in a call's body is data, `text`
/// of a confirmation is read.
struct TextGatherer {
    let app: App
    private(set) var texts: [ManifestText] = []

    init(app: App) { self.app = app }

    private typealias Kind = ManifestText.Kind

    mutating func gather(_ root: Outline) {
        let everywhere = app.screens.map(\.id)
        take(root, ["name"], .title, everywhere)
        for (id, screen) in members(root, ["screens"]) { gather(screen, id: id) }
        let calls = members(root, ["calls"])
        for (name, call) in calls { failures(call, ["calls", name], screens(calling: name)) }
        for (id, backend) in members(root, ["backends"]) {
            let path = ["backends", id]
            add(backend, path, ["badge"], .badge, everywhere)
            for (name, call) in members(backend, ["calls"]) {
                failures(call, path + ["calls", name], screens(calling: name))
            }
        }
        let calling = app.screens.filter { screen in
            screen.kind == .launch || screen.allActions.contains { !$0.calls.isEmpty }
        }.map(\.id)
        rows(root, [], "failures", "message", .failure, calling)
        for (name, setting) in members(root, ["settings"]) {
            add(setting, ["settings", name], ["missing"], .setting, calling)
        }
        network(root, calling)
        if let lost = app.session.lost {
            for name in ["message", "title"] {
                take(root, ["session", "lost", name], .session, [lost.go])
            }
        }
        for (index, row) in elements(root, ["launch"]).enumerated() {
            rows(
                row, ["launch", String(index)], "goWhen", "notice", .notice,
                app.screens.filter { $0.kind == .launch }.map(\.id))
        }
    }

    // MARK: Screens

    private mutating func gather(_ screen: Outline, id: String) {
        let path = ["screens", id]
        let here = [id]
        add(screen, path, ["title"], .title, here)
        add(screen, path, ["text"], .text, here)
        add(screen, path, ["textOtherwise"], .text, here)
        for (name, field) in members(screen, ["fields"]) {
            let path = path + ["fields", name]
            add(field, path, ["label"], .label, here)
            add(field, path, ["placeholder"], .placeholder, here)
            rows(field, path, "options", "label", .option, here)
            rows(field, path, "options", "text", .option, here)
            for (index, word) in elements(field, ["strength"]).enumerated() {
                note(word, path + ["strength", String(index)], .strength, here)
            }
            rows(field, path, "rules", "message", .rule, here)
        }
        rows(screen, path, "rules", "message", .rule, here)
        if let submit = member(screen, ["submit"]) { action(submit, path + ["submit"], here) }
        for (name, one) in members(screen, ["actions"]) {
            action(one, path + ["actions", name], here)
        }
        for (name, link) in members(screen, ["links"]) {
            add(link, path + ["links", name], ["label"], .link, here)
        }
        rows(screen, path, "goWhen", "notice", .notice, here)
    }

    private mutating func action(_ action: Outline, _ path: [String], _ here: [String]) {
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
        rows(action, path, "goWhen", "notice", .notice, here)
    }

    private mutating func failures(_ call: Outline, _ path: [String], _ screens: [String]) {
        rows(call, path, "failures", "message", .failure, screens)
    }

    /// Also what the manifest leaves to Foyer, without a line.
    private mutating func network(_ root: Outline, _ screens: [String]) {
        let path = ["network", "messages"]
        let messages = app.network.messages
        let all: [(String, String?)] = [
            ("offline", messages.offline), ("timeout", messages.timeout),
            ("refused", messages.refused),
            ("connection", messages.connection),
            ("invalidResponse", messages.invalidResponse),
            ("server", messages.server),
        ]
        for (name, text) in all {
            if member(root, path + [name]) != nil {
                take(root, path + [name], .network, screens)
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
            screen.load.contains(call) || screen.kind == .launch && launching
                || screen.allActions.contains { $0.everyCall.contains(call) }
        }.map(\.id)
    }

    // MARK: Walking

    /// `name` of every element of the list `list`.
    private mutating func rows(
        _ outline: Outline, _ path: [String], _ list: String, _ name: String,
        _ kind: ManifestText.Kind, _ screens: [String]
    ) {
        for (index, row) in elements(outline, [list]).enumerated() {
            add(row, path + [list, String(index)], [name], kind, screens)
        }
    }

    private mutating func take(
        _ root: Outline, _ path: [String], _ kind: ManifestText.Kind, _ screens: [String]
    ) { add(root, [], path, kind, screens) }

    private mutating func add(
        _ outline: Outline, _ path: [String], _ place: [String], _ kind: ManifestText.Kind,
        _ screens: [String]
    ) {
        guard let found = member(outline, place) else { return }
        note(found, path + place, kind, screens)
    }

    private mutating func note(
        _ outline: Outline, _ path: [String], _ kind: ManifestText.Kind, _ screens: [String]
    ) {
        guard case .string(let text) = outline.value, !text.isEmpty else { return }
        texts.append(
            .init(text: text, kind: kind, path: path, line: outline.line, screens: screens))
    }

    private func member(_ outline: Outline, _ path: [String]) -> Outline? {
        var here = outline
        for name in path {
            guard case .object(let members) = here.value,
                let member = members.first(where: { $0.name == name })
            else { return nil }
            here = member.value
        }
        return here
    }

    private func members(_ outline: Outline, _ path: [String]) -> [(name: String, value: Outline)] {
        guard case .object(let members) = member(outline, path)?.value else { return [] }
        return members.map { ($0.name, $0.value) }
    }

    private func elements(_ outline: Outline, _ path: [String]) -> [Outline] {
        guard case .array(let elements) = member(outline, path)?.value else { return [] }
        return elements
    }
}
