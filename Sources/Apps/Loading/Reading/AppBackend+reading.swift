import Web

extension AppBackend {
    init(_ node: ManifestNode, id: String) throws(ManifestError) {
        try node.allowOnly("label", "badge", "base", "calls", "settings", "like")
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
    /// The backends in the order written; one that is `like` another speaks
    /// its dialect, but for the calls it gives itself.
    init(_ node: ManifestNode) throws(ManifestError) {
        self = try node.readMembers(AppBackend.init(_:id:))
        let own = self
        let ids = try node.members().map(\.name)
        for member in try node.members() {
            guard let node = member.source["like"],
                let index = own.firstIndex(where: { $0.id == member.name })
            else { continue }
            let name = try node.string()
            guard name != member.name, ids.contains(name) else {
                node.diagnostics.record(
                    node.error(
                        "there is no other backend \(name)",
                        SpellingSuggestion.fix(name, ids.filter { $0 != member.name })))
                continue
            }
            // One that could not be read has been told of.
            guard let other = own.first(where: { $0.id == name }) else { continue }
            let mine = own[index]
            self[index].calls = other.calls.filter { !mine.missingCalls.contains($0.key) }.merging(
                mine.calls
            ) { $1 }
            self[index].missingCalls = mine.missingCalls.union(
                other.missingCalls.filter { mine.calls[$0] == nil })
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
                "\(text) is asked of the embedded backend, but base is another",
                "Write the value itself.")
        }
        self = .contractSetting(String(text.dropFirst(prefix.count)))
    }
}

extension AppBackend.Base {
    /// `embedded:contract/path`, https to anywhere, or http to this machine:
    /// what a phone may speak to (App Transport Security's rule).
    init(_ node: ManifestNode) throws(ManifestError) {
        var text = try node.string()
        while text.hasSuffix("/") { text.removeLast() }
        if text.hasPrefix("embedded:") {
            let parts = text.dropFirst("embedded:".count).split(separator: "/", maxSplits: 1)
            guard let contract = parts.first, !contract.isEmpty else {
                throw node.error(
                    "embedded: names no contract", "Write it like 'embedded:<contract>/<path>'.")
            }
            self = .embedded(
                contract: String(contract), path: parts.count > 1 ? String(parts[1]) : "")
        } else if Self.isAllowed(text) {
            self = .url(text)
        } else {
            throw node.error(
                "\(text) is no base a phone may speak to",
                "Write an https:// URL, http:// to localhost, or 'embedded:contract/path'.")
        }
    }

    /// Whether `url` is absolute, has a host and nothing after its path, and
    /// is https or loopback.
    ///
    /// The address a name leads to is looked at again when it is talked to.
    static func isAllowed(_ url: String) -> Bool {
        let address = URLParts(url)
        guard address.isHTTPURL, address.port != nil,
            !url.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }),
            !url.contains(where: { "?#@\\{}".contains($0) })
        else { return false }
        return address.scheme == "https" || address.isLoopback
    }
}
