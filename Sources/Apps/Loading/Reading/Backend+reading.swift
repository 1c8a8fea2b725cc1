import Web

extension Backend {
    init(_ source: Source, id: String) throws(ManifestError) {
        try source.only("label", "badge", "base", "calls", "settings", "like")
        self.id = try source.identifier(id)
        label = try source["label"]?.string() ?? id
        badge = try source["badge"]?.string()
        base = try Base(source.need("base"))
        calls = [:]
        lacks = []
        for (name, source) in try source["calls"]?.members() ?? [] {
            if source.outline.value == .null {
                lacks.insert(name)
            } else {
                calls[name] = source.attempt(Call.init(_:))
            }
        }
        settings = [:]
        for (name, source) in try source["settings"]?.members() ?? [] {
            settings[name] = try SettingValue(source, at: base)
        }
    }
}

extension [Backend] {
    /// The backends in the order written; one that is `like` another speaks
    /// its dialect, but for the calls it gives itself.
    init(_ source: Source) throws(ManifestError) {
        self = try source.eachMember(Backend.init(_:id:))
        let own = self
        let ids = try source.members().map(\.name)
        for member in try source.members() {
            guard let source = member.source["like"],
                let index = own.firstIndex(where: { $0.id == member.name })
            else { continue }
            let name = try source.string()
            guard name != member.name, ids.contains(name) else {
                source.mistakes.note(
                    source.error(
                        "there is no other backend \(name)",
                        Nearest.mend(name, ids.filter { $0 != member.name })))
                continue
            }
            // One that could not be read has been told of.
            guard let other = own.first(where: { $0.id == name }) else { continue }
            let mine = own[index]
            self[index].calls = other.calls.filter { !mine.lacks.contains($0.key) }.merging(
                mine.calls
            ) { $1 }
            self[index].lacks = mine.lacks.union(other.lacks.filter { mine.calls[$0] == nil })
        }
    }
}

extension Backend.SettingValue {
    init(_ source: Source, at base: Backend.Base) throws(ManifestError) {
        let text = try source.string()
        let prefix = "embedded:"
        guard text.hasPrefix(prefix) else {
            self = .text(text)
            return
        }
        guard case .embedded = base else {
            throw source.error(
                "\(text) is asked of the embedded backend, but base is another",
                "Write the value itself.")
        }
        self = .fact(String(text.dropFirst(prefix.count)))
    }
}

extension Backend.Base {
    /// `embedded:contract/path`, https to anywhere, or http to this machine:
    /// what a phone may speak to (App Transport Security's rule).
    init(_ source: Source) throws(ManifestError) {
        var text = try source.string()
        while text.hasSuffix("/") { text.removeLast() }
        if text.hasPrefix("embedded:") {
            let parts = text.dropFirst("embedded:".count).split(separator: "/", maxSplits: 1)
            guard let contract = parts.first, !contract.isEmpty else {
                throw source.error(
                    "embedded: names no contract", "Write it like 'embedded:<contract>/<path>'.")
            }
            self = .embedded(
                contract: String(contract), path: parts.count > 1 ? String(parts[1]) : "")
        } else if Self.isAllowed(text) {
            self = .url(text)
        } else {
            throw source.error(
                "\(text) is no base a phone may speak to",
                "Write an https:// URL, http:// to localhost, or 'embedded:contract/path'.")
        }
    }

    /// Whether `url` is absolute, has a host and nothing after its path, and
    /// is https or loopback.
    ///
    /// The address a name leads to is looked at again when it is talked to.
    static func isAllowed(_ url: String) -> Bool {
        let address = Address(url)
        guard address.isWeb, address.port != nil,
            !url.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }),
            !url.contains(where: { "?#@\\{}".contains($0) })
        else { return false }
        return address.scheme == "https" || address.isLoopback
    }
}
