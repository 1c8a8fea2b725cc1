import Web

extension AppBackend {
    init(_ node: ManifestNode, id: String) throws(ManifestError) {
        try node.allowOnly("label", "badge", "base", "calls", "settings", "extends")
        self.id = try node.identifier(id)
        label = try node["label"]?.string() ?? id
        badge = try node["badge"]?.string()
        base = try Base(node.require("base"))
        calls = [:]
        missingCalls = []
        for (name, node) in try node["calls"]?.members() ?? [] {
            if node.document.value == .null {
                missingCalls.insert(name)
            } else {
                calls[name] = node.attempt(Call.init(_:))
            }
        }
        settings = [:]
        for (name, node) in try node["settings"]?.members() ?? [] {
            settings[name] = try SettingValue(node, at: base)
        }
    }
}

extension [AppBackend] {
    /// Reads the backends in file order. One that is `like` another has its dialect, except for the
    /// calls it declares itself.
    init(_ node: ManifestNode) throws(ManifestError) {
        self = try node.readMembers(AppBackend.init(_:id:))
        let declared = self
        let ids = try node.members().map(\.name)
        for member in try node.members() {
            guard let node = member.source["extends"],
                let index = declared.firstIndex(where: { $0.id == member.name })
            else { continue }
            let name = try node.string()
            guard name != member.name, ids.contains(name) else {
                node.diagnostics.record(
                    node.error(
                        "No other backend \(name)",
                        SpellingSuggestion.fix(name, ids.filter { $0 != member.name })))
                continue
            }
            // An unreadable backend is already reported.
            guard let parent = declared.first(where: { $0.id == name }) else { continue }
            let backend = declared[index]
            self[index].calls = parent.calls.filter { !backend.missingCalls.contains($0.key) }
                .merging(
                    backend.calls
                ) { $1 }
            self[index].missingCalls = backend.missingCalls.union(
                parent.missingCalls.filter { backend.calls[$0] == nil })
        }
    }
}

extension AppBackend.SettingValue {
    init(_ node: ManifestNode, at base: AppBackend.Base) throws(ManifestError) {
        let text = try node.string()
        let prefix = "embedded:"
        guard text.hasPrefix(prefix) else {
            self = .text(text)
            return
        }
        guard case .embedded = base else {
            throw node.error(
                "\(text) requires an embedded base",
                "Write the value itself.")
        }
        self = .contractSetting(String(text.dropFirst(prefix.count)))
    }
}

extension AppBackend.Base {
    /// `embedded:contract/path`, https to any host, or http to localhost: what App Transport
    /// Security allows on a phone.
    init(_ node: ManifestNode) throws(ManifestError) {
        var text = try node.string()
        while text.hasSuffix("/") { text.removeLast() }
        if text.hasPrefix("embedded:") {
            let parts = text.dropFirst("embedded:".count).split(separator: "/", maxSplits: 1)
            guard let contract = parts.first, !contract.isEmpty else {
                throw node.error(
                    "No contract after embedded:", "Write it like 'embedded:<contract>/<path>'.")
            }
            self = .embedded(
                contract: String(contract), path: parts.count > 1 ? String(parts[1]) : "")
        } else if Self.isAllowed(text) {
            self = .url(text)
        } else {
            throw node.error(
                "Base URL not allowed: \(text)",
                "Write an https:// URL, http:// to localhost, or 'embedded:contract/path'.")
        }
    }

    /// Whether `url` is absolute, has a host and nothing after its path, and is https or loopback.
    ///
    /// The IP address a name resolves to is checked again when connecting.
    static func isAllowed(_ url: String) -> Bool {
        let parts = URLParts(url)
        guard parts.isHTTPURL, parts.port != nil,
            !url.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }),
            !url.contains(where: { "?#@\\{}".contains($0) })
        else { return false }
        return parts.scheme == "https" || parts.isLoopback
    }
}
