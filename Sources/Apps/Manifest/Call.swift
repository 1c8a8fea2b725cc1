import Web

/// One call to a backend: its request and how its response is interpreted.
package struct Call: Sendable, Equatable {
    package var request: RequestTemplate
    package var success: Success
    /// In order; the first that matches wins.
    package var failures: [Failure]
    /// Pointers to the backend's own message, for failures that match no row.
    package var messagePointers: [String]
    /// Pointers to the backend's message for a field, by field, for failures that match no row. A
    /// message found is shown below its field instead of the general one.
    package var fieldMessagePointers: [String: [String]]
    /// Errors are neither shown nor stop the action.
    package var isBestEffort: Bool
    /// Attempts after the first; nil uses the network's value.
    package var retries: Int?
    /// Values that a success stores in memory, by name.
    package var valuesToRemember: [String: String]

    init(_ node: ManifestNode) throws {
        try node.allowOnly([
            "request", "success", "failures", "messagePointers", "fieldMessagePointers",
            "bestEffort", "retries", "remember",
        ])
        request = try RequestTemplate(node.require("request"))
        success = try Success(node.object("success"))
        failures = try node["failures"]?.readElements(Failure.init) ?? []
        messagePointers = try node["messagePointers"]?.pointers() ?? []
        fieldMessagePointers =
            try node["fieldMessagePointers"]?.dictionary(of: .fieldOfCallers) { try $0.pointers() }
            ?? [:]
        isBestEffort = try node["bestEffort"]?.bool() ?? false
        retries = try node["retries"]?.int(in: 0...10)
        valuesToRemember =
            try node["remember"]?.dictionary(of: .memory) { try $0.template() } ?? [:]
    }

    /// The call with more failures, after its own.
    func adding(_ failures: [Failure]) -> Call {
        var call = self
        call.failures += failures
        return call
    }

    /// The criteria of a successful response.
    package struct Success: Sendable, Equatable {
        /// Statuses; empty means 200 … 299.
        package var status: [Int]
        /// JSON Pointers (RFC 6901) by name; the first that resolves wins. `/` alone is the root
        /// document.
        package var capturePointers: [String: [String]]
        /// The pointer to the last page's number, by the name of a captured page number: the
        /// captured one follows that of the response, and is null after the last.
        package var lastPagePointers: [String: [String]]
        /// Which words of a captured text are kept, by its name: null if it has none of them.
        package var capturedWords: [String: Words]
        /// Captured lists whose elements are added to those held under the name.
        package var appendedNames: [String]
        /// Captured names without which the response is invalid.
        package var requiredNames: [String]
        /// The format of the body.
        package var body: Body
        /// Expected values by pointer, as in a failure. A response without one of them is a failure
        /// whatever its status.
        package var expectedValues: [String: String]

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["status", "capture", "append", "require", "body", "where"])
            status = try node["status"]?.statuses() ?? []
            capturePointers =
                try node["capture"]?.dictionary(of: .held, Self.capturePointers) ?? [:]
            let captures = try node["capture"]?.members() ?? []
            for (name, node) in captures { _ = try node.identifier(name) }
            lastPagePointers = try captures.reduce(into: [:]) {
                $0[$1.name] = try $1.node["last"]?.pointers()
            }
            capturedWords = try captures.reduce(into: [:]) {
                $0[$1.name] = try $1.node["words"]?.choice()
            }
            let names = Reference.Kind.capturedByCall(captures.map { ($0.name, $0.node.path) })
            requiredNames = try node["require"]?.references(names) ?? []
            appendedNames = try node["append"]?.references(names) ?? []
            body = try node["body"]?.choice() ?? .json
            expectedValues = try node["where"]?.expectedValues() ?? [:]
        }

        /// Pointers, or those of the page in `{ page, last }` or of the text in `{ text, words }`.
        private static func capturePointers(_ node: ManifestNode) throws -> [String] {
            guard case .object = node.value else { return try node.pointers() }
            guard (node["text"] ?? node["words"]) == nil else {
                try node.allowOnly(["text", "words"])
                _ = try node.require("words")
                return try node.require("text").pointers()
            }
            try node.allowOnly(["page", "last"])
            _ = try node.require("last")
            return try node.require("page").pointers()
        }

        /// The first word of a text, or those after it.
        package enum Words: String, Sendable, CaseIterable { case first, rest }

        /// The format of a successful response's body.
        package enum Body: String, Sendable, CaseIterable { case json, text, empty, any }
    }

    /// A failure the app recognizes, and its effect.
    ///
    /// A 401 that matches a row is that failure. An unmatched 401 means that the access token is no
    /// longer valid and may be refreshed; a row can declare the same for another response.
    package struct Failure: Sendable, Equatable {
        /// Empty matches every status.
        package var status: [Int]
        /// Expected values by pointer; a trailing `*` matches by prefix.
        package var expectedValues: [String: String]
        /// Shown to the user; `{status}`, `{message}` (the backend's own) and stored names are
        /// replaced.
        package var message: String?
        /// The field that shows the error, if any.
        package var field: String?
        /// The screen to navigate to.
        package var destination: String?
        /// A key of the launch table's `onFailure`: `unverified` …
        package var kind: String?
        /// The effect on the session of a call that carries a token.
        package var sessionEffect: SessionEffect?
        /// Treated as a success without captured values. The screen then does not reveal whether an
        /// account exists.
        package var treatAsSuccess: Bool
        /// Matches only in this circumstance; nil for any.
        package var circumstance: Circumstance?
        /// Names that must have a value, stored or in memory, for the row to match.
        package var requiredNames: [String]

        /// Whether it matches in some circumstances only.
        package var isConditional: Bool { circumstance != nil || !requiredNames.isEmpty }

        init(_ node: ManifestNode) throws {
            try node.allowOnly([
                "status", "where", "message", "field", "go", "kind", "session", "treatAsSuccess",
                "after", "captured",
            ])
            status = try node["status"]?.statuses() ?? []
            expectedValues = try node["where"]?.expectedValues() ?? [:]
            message = try node["message"]?.template(.failure, also: ["status", "message"])
            field = try node["field"]?.reference(.fieldOfCallers)
            destination = try node["go"]?.reference(.screen)
            kind = try node["kind"]?.string()
            sessionEffect = try node["session"]?.choice()
            treatAsSuccess = try node["treatAsSuccess"]?.bool() ?? false
            circumstance = try node["after"]?.choice()
            requiredNames = try node["captured"]?.references(.held) ?? []
            if sessionEffect != nil { node["session"]?.refer(to: "expired", .expiryRules) }
            let effects = [message, field, destination, kind].compactMap(\.self)
            try node.check(
                !treatAsSuccess || effects.isEmpty,
                "A failure treated as success cannot have other effects",
                "Remove treatAsSuccess, or the rest.")
        }

        /// What happened to the call before the response.
        package enum Circumstance: String, Sendable, CaseIterable {
            /// It was repeated with a token that a refresh just brought.
            case refresh
            /// An earlier request of it got no response, or a gateway's, so that the backend may
            /// have handled it.
            case loss
        }

        /// What the failure means for the session.
        package enum SessionEffect: String, Sendable, CaseIterable {
            /// The token is no longer valid: refresh it and repeat the call, as after a 401.
            case refresh
            /// The session is over, whatever the refresh token's state.
            case expired
        }
    }
}

extension ManifestNode {
    /// Status codes; `5xx` means all of 500 … 599.
    fileprivate func statuses() throws -> [Int] {
        guard case .array = value else { return try status() }
        return try elements().flatMap { try $0.status() }
    }

    private func status() throws -> [Int] {
        guard case .string(let text) = value else { return [try int(in: 100...599)] }
        guard text.utf8.count == 3, text.hasSuffix("xx"), let hundred = Int(text.prefix(1)),
            (1...5).contains(hundred)
        else {
            throw error(
                "Invalid status class '\(text)'", "Write '4xx' or '5xx', or a status like 404.")
        }
        return Array(hundred * 100..<(hundred + 1) * 100)
    }
}
