/// Traverses a manifest along its grammar and collects the texts users read.
///
/// The locations are listed, not guessed: `text` in a call's body is data, `text` of a confirmation
/// is shown.
struct TextCollector {
    let app: App
    private(set) var texts: [ManifestText] = []

    init(app: App) { self.app = app }

    private typealias Kind = ManifestText.Kind

    mutating func collect(_ root: JSON5Document) {
        let allScreens = app.screens.map(\.id)
        addFromRoot(root, ["name"], .title, allScreens)
        for (id, screen) in members(root, ["screens"]) { collect(screen, id: id) }
        let calls = members(root, ["calls"])
        for (name, call) in calls {
            collectFailures(call, ["calls", name], screens(calling: name))
        }
        for (id, backend) in members(root, ["backends"]) {
            let path = ["backends", id]
            add(backend, path, ["badge"], .badge, allScreens)
            for (name, call) in members(backend, ["calls"]) {
                collectFailures(call, path + ["calls", name], screens(calling: name))
            }
        }
        let callingScreens = app.screens.filter { screen in
            screen.kind == .launch || screen.allActions.contains { !$0.calls.isEmpty }
        }.map(\.id)
        addFromList(root, [], "failures", "message", .failure, callingScreens)
        for (name, setting) in members(root, ["settings"]) {
            add(setting, ["settings", name], ["missing"], .setting, callingScreens)
        }
        collectNetwork(root, callingScreens)
        if let expiry = app.session.expired {
            for name in ["message", "title"] {
                addFromRoot(root, ["session", "expired", name], .session, [expiry.destination])
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
        let screenIDs = [id]
        add(screen, path, ["title"], .title, screenIDs)
        add(screen, path, ["text"], .text, screenIDs)
        add(screen, path, ["textOtherwise"], .text, screenIDs)
        for (name, field) in members(screen, ["fields"]) {
            let path = path + ["fields", name]
            add(field, path, ["label"], .label, screenIDs)
            add(field, path, ["placeholder"], .placeholder, screenIDs)
            addFromList(field, path, "options", "label", .option, screenIDs)
            addFromList(field, path, "options", "text", .option, screenIDs)
            for (index, label) in elements(field, ["strength"]).enumerated() {
                append(label, path + ["strength", String(index)], .strength, screenIDs)
            }
            addFromList(field, path, "rules", "message", .rule, screenIDs)
        }
        addFromList(screen, path, "rules", "message", .rule, screenIDs)
        if let submit = member(screen, ["submit"]) {
            collectAction(submit, path + ["submit"], screenIDs)
        }
        for (name, action) in members(screen, ["actions"]) {
            collectAction(action, path + ["actions", name], screenIDs)
        }
        for (name, link) in members(screen, ["links"]) {
            add(link, path + ["links", name], ["label"], .link, screenIDs)
        }
        addFromList(screen, path, "goWhen", "notice", .notice, screenIDs)
    }

    private mutating func collectAction(
        _ action: JSON5Document, _ path: [String], _ screenIDs: [String]
    ) {
        let memberPaths: [([String], Kind)] = [
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
        for (memberPath, kind) in memberPaths { add(action, path, memberPath, kind, screenIDs) }
        addFromList(action, path, "goWhen", "notice", .notice, screenIDs)
    }

    private mutating func collectFailures(
        _ call: JSON5Document, _ path: [String], _ screens: [String]
    ) {
        addFromList(call, path, "failures", "message", .failure, screens)
    }

    /// Includes Foyer's default messages, which have no line.
    private mutating func collectNetwork(_ root: JSON5Document, _ screens: [String]) {
        let path = ["network", "messages"]
        let messages = app.network.messages
        let entries: [(String, String?)] = [
            ("offline", messages.offline), ("timeout", messages.timeout),
            ("refused", messages.connectionRefused),
            ("connection", messages.connection),
            ("invalidResponse", messages.invalidResponse),
            ("server", messages.serverError),
        ]
        for (name, text) in entries {
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
        let isLaunchCall = app.launch.contains { $0.calls.contains(call) }
        return app.screens.filter { screen in
            screen.callsOnLoad.contains(call) || screen.kind == .launch && isLaunchCall
                || screen.allActions.contains { $0.allCalls.contains(call) }
        }.map(\.id)
    }

    // MARK: Traversal

    /// Adds the member `name` of every element of the list `list`.
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
        _ document: JSON5Document, _ path: [String], _ memberPath: [String],
        _ kind: ManifestText.Kind,
        _ screens: [String]
    ) {
        guard let node = member(document, memberPath) else { return }
        append(node, path + memberPath, kind, screens)
    }

    private mutating func append(
        _ document: JSON5Document, _ path: [String], _ kind: ManifestText.Kind, _ screens: [String]
    ) {
        guard case .string(let text) = document.value, !text.isEmpty else { return }
        texts.append(
            .init(text: text, kind: kind, path: path, line: document.line, screens: screens))
    }

    private func member(_ document: JSON5Document, _ path: [String]) -> JSON5Document? {
        var node = document
        for name in path {
            guard case .object(let members) = node.value,
                let member = members.first(where: { $0.name == name })
            else { return nil }
            node = member.value
        }
        return node
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

/// A user-visible text of a manifest and where it is written.
package struct ManifestText: Sendable, Equatable {
    /// With its `{variables}`.
    package var text: String
    package var kind: Kind
    /// Members from the root: `screens`, `login`, `title`.
    package var path: [String]
    /// From 1; nil for a default text of Foyer that the manifest does not override.
    package var line: Int?
    /// The screens that may show it, in the manifest's order.
    package var screens: [String]

    package enum Kind: String, Sendable, CaseIterable {
        case title, text, label, placeholder, hint, option, strength, link
        case rule, failure, network, session, confirm, alert, toast, notice
        case prompt, badge, setting
    }
}

extension AppCatalog {
    /// Every text of the app `id`, read from its current file; empty if the app is missing or
    /// broken.
    package func texts(ofApp id: String) -> [ManifestText] {
        guard let app = app(id), let bytes = manifest(ofApp: id) else { return [] }
        return ManifestText.collectTexts(of: app, bytes)
    }
}

extension ManifestText {
    /// Every text of `app`, whose manifest is `bytes`, in manifest order.
    static func collectTexts(of app: App, _ bytes: [UInt8]) -> [ManifestText] {
        guard let document = try? JSON5Parser.parse(bytes) else { return [] }
        var collector = TextCollector(app: app)
        collector.collect(document)
        return collector.texts
    }
}
