package import TableSchemas
import Web

/// A backend the app can use.
package struct AppBackend: Sendable, Equatable {
    package var id: String
    package var label: String
    /// A label in the corner of the screen: `DEV`. Nil if a released app shows none.
    package var badge: String?
    package var base: Base
    /// The backend's dialect: calls that differ from the app's.
    package var calls: [String: Call]
    /// Calls this backend does not support.
    ///
    /// They are skipped in lists of calls. An action is hidden if all its calls are missing; best
    /// effort calls do not count.
    package var missingCalls: Set<String>
    /// Values of the app's settings for this backend, by name.
    package var settings: [String: SettingValue]
    /// The tables that its embedded contract serves beside its own.
    package var tables: [TableSchema]
    /// Whether the app writes a log with this backend, as a build for development does.
    package var hasDebugLog: Bool

    init(_ node: ManifestNode, id: String) throws {
        try node.allowOnly([
            "label", "badge", "base", "calls", "settings", "extends", "tables", "debugLog",
        ])
        self.id = try node.identifier(id)
        label = try node["label"]?.string() ?? id.capitalizedFirst
        badge = try node["badge"]?.text(.badge)
        hasDebugLog = try node["debugLog"]?.bool() ?? false
        let base = try Base(node.require("base"))
        self.base = base
        calls = [:]
        missingCalls = []
        for (name, node) in try node["calls"]?.members() ?? [] {
            node.refer(to: name, .call)
            if node.value == .null {
                missingCalls.insert(name)
            } else {
                calls[name] = node.read(or: nil) { try Call($0) }
            }
        }
        tables = try node["tables"].map { try TableSchema.read($0, at: base) } ?? []
        settings =
            try node["settings"]?.dictionary(of: .setting) { try SettingValue($0, at: base) } ?? [:]
    }

    /// A setting's value for a backend unless the user overrides it.
    package enum SettingValue: Sendable, Equatable {
        case text(String)
        /// `embedded:anonKey`: a value provided by the embedded contract of `base`.
        case contractSetting(String)

        init(_ node: ManifestNode, at base: Base) throws {
            let text = try node.string()
            let prefix = "embedded:"
            guard text.hasPrefix(prefix) else {
                self = .text(text)
                return
            }
            guard case .embedded = base else {
                throw node.error("\(text) requires an embedded base", "Write the value itself.")
            }
            self = .contractSetting(String(text.dropFirst(prefix.count)))
        }
    }

    /// The base of its calls.
    package enum Base: Sendable, Equatable {
        /// `embedded:atlas/api/v1`: a contract of the embedded backend and a path below
        /// `http://127.0.0.1:7071/{workspace}/{contract}`.
        case embedded(contract: String, path: String)
        /// An absolute URL without a trailing slash: https, or loopback.
        case url(String)

        /// `embedded:contract/path`, https to any host, or http to localhost: what App Transport
        /// Security allows on a phone.
        init(_ node: ManifestNode) throws {
            let text = try node.string().withoutTrailingSlashes
            if text.hasPrefix("embedded:") {
                let parts = text.dropFirst("embedded:".count).split(separator: "/", maxSplits: 1)
                guard let contract = parts.first, !contract.isEmpty else {
                    throw node.error(
                        "No contract after embedded:", "Write it like 'embedded:<contract>/<path>'."
                    )
                }
                if let known = node.record.contracts, !known.contains(String(contract)) {
                    let nearest = SpellingSuggestion.nearestName(to: String(contract), in: known)
                    node.report(
                        "Unknown contract '\(contract)' of the embedded backend",
                        (nearest.map { "Did you mean \($0)? " } ?? "")
                            + "Valid values: \(known.sorted().joined(separator: ", ")).")
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

        /// Whether `url` is absolute, has a host and nothing after its path, and is https or
        /// loopback.
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

    /// Reads the backends in file order. One that extends another has its dialect, except for the
    /// calls it declares itself.
    static func read(_ node: ManifestNode) throws -> [AppBackend] {
        let members = try node.members()
        if members.isEmpty, !node.isReplaced {
            node.report("No backend", "Add one: local: { base: 'http://localhost:3000' }.")
        }
        let declared = try node.readMembers(AppBackend.init)
        return try declared.map { backend in
            guard let node = node[backend.id]?["extends"] else { return backend }
            let name = try node.string()
            let otherNames = members.map(\.name).filter { $0 != backend.id }
            guard otherNames.contains(name) else {
                node.report("No other backend \(name)", SpellingSuggestion.fix(name, otherNames))
                return backend
            }
            // An unreadable backend is already reported.
            guard let parent = declared.first(where: { $0.id == name }) else { return backend }
            var extended = backend
            extended.calls = parent.calls.filter { !backend.missingCalls.contains($0.key) }.merging(
                backend.calls
            ) { $1 }
            extended.missingCalls.formUnion(parent.missingCalls.filter { backend.calls[$0] == nil })
            return extended
        }
    }

    func adding(_ failures: [Call.Failure]) -> AppBackend {
        var backend = self
        backend.calls = calls.mapValues { $0.adding(failures) }
        return backend
    }

    /// The embedded contract; nil for an external backend.
    package var contract: String? {
        if case .embedded(let contract, _) = base { contract } else { nil }
    }

    /// The manifest's base URL in a workspace, with the embedded backend at `embeddedBase`.
    package func baseURL(embeddedAt embeddedBase: String, workspace: String) -> String {
        switch base {
        case .url(let url): url
        case .embedded(let contract, let path):
            "\(embeddedBase)/\(workspace)/\(contract)" + (path.isEmpty ? "" : "/\(path)")
        }
    }
}

/// An app's timeouts, retries and network error messages.
package struct Network: Sendable, Equatable {
    /// Seconds per attempt.
    package var timeout: Double = 30
    /// Attempts after the first.
    package var retries: Int = 0
    /// Seconds before the first retry; doubles with each retry, with jitter.
    package var backoff: Double = 1
    package var retryReasons: Set<RetryReason> = [.serverError, .timeout, .connection]
    package var messages: Messages = Messages()
    /// A stored name: while it is true, the app sends nothing, and its calls fail as offline.
    package var offlineName: String?

    init() {}

    init(_ node: ManifestNode) throws {
        try node.allowOnly([
            "timeout", "retries", "backoff", "retryOn", "messages", "offlineWhen",
        ])
        timeout = try node["timeout"]?.number(in: 0.1...300) ?? timeout
        retries = try node["retries"]?.int(in: 0...10) ?? retries
        backoff = try node["backoff"]?.number(in: 0...60) ?? backoff
        if let node = node["retryOn"] { retryReasons = Set(try node.choices(RetryReason.self)) }
        messages = try Messages(node.object("messages"))
        offlineName = try node["offlineWhen"]?.reference(.stored)
    }

    /// What a request is repeated after.
    package enum RetryReason: String, Sendable, CaseIterable {
        case serverError = "5xx"
        case timeout
        case connection
    }

    /// Shown when there is no usable response.
    package struct Messages: Sendable, Equatable {
        package var offline = "No internet connection."
        package var timeout = "The request timed out."
        /// The resolved address refused the connection; nil uses `offline`.
        package var connectionRefused: String?
        package var connection = "Could not connect to the server."
        package var invalidResponse = "Invalid response from server."
        /// For a failure status without another message; `{status}` is replaced.
        package var serverError = "Server error ({status})."

        init() {}

        init(_ node: ManifestNode) throws {
            try node.allowOnly([
                "offline", "refused", "timeout", "connection", "invalidResponse", "server",
            ])
            offline = try node.text("offline", .network, default: offline)
            timeout = try node.text("timeout", .network, default: timeout)
            connectionRefused = try node["refused"]?.text(.network)
            connection = try node.text("connection", .network, default: connection)
            invalidResponse = try node.text("invalidResponse", .network, default: invalidResponse)
            node["server"]?.recordVariables(.variable(also: ["status"]))
            serverError = try node.text("server", .network, default: serverError)
        }
    }
}
