package import FoundationEssentials
package import Web

/// A recorded exchange without headers and bodies, as lists show it.
package struct Exchange: Sendable, Equatable {
    package var id: String
    /// Its position in recording order; the paging key.
    package var sequence: Int64
    package var workspace: String
    package var app: String
    package var device: String
    package var backend: String
    package var call: String
    package var cause: ExchangeContext.Cause
    package var causeEvent: Int64?
    package var causeExchange: String?
    package var attempt: Int
    package var method: String
    /// With passwords and tokens replaced by placeholders.
    package var url: String
    /// The response status, nil if there was no response.
    package var status: Int?
    /// Why there was no response, nil if there was one.
    package var failure: TransportFailure?
    package var startedAt: Date
    package var timings: Timings
    /// Full body lengths in bytes, even if less was recorded.
    package var requestBytes: Int
    package var responseBytes: Int
    /// The label of the fault that affected it, if any.
    package var fault: String?
    /// The rules that matched it, in the order in which they applied.
    package var rules: [AppliedRule] = []

    /// For lists and the timeline; nil if no rule matched.
    package var ruleLabel: String? {
        let labels = rules.map(\.label).reduce(into: [String]()) { all, label in
            if !all.contains(label) { all.append(label) }
        }
        return labels.isEmpty ? nil : labels.joined(separator: "; ")
    }

    /// The URL without scheme and authority; query included.
    package var pathAndQuery: String { URLParts(url).requestTarget }

    /// Replaces each token placeholder in a text of a listed exchange with `…`. Masked tokens are
    /// only in `ExchangeDetail`.
    package static func elidingTokens(_ text: String) -> String {
        Redaction.fillPlaceholders(text, with: Array(repeating: "…", count: Redaction.maxTokens))
    }
}

/// A recorded exchange with its headers and bodies.
///
/// A token is recorded as `‹token:N›`, where `tokens[N]` is its masked form; a password as
/// `‹password›`. Bodies are recorded up to 64 KiB.
package struct ExchangeDetail: Sendable, Equatable {
    package var exchange: Exchange
    package var requestHeaders: Headers
    package var requestBody: RecordedBody
    package var responseHeaders: Headers
    package var responseBody: RecordedBody
    package var remoteAddress: String?
    /// Masked forms in the order of their placeholders.
    package var tokens: [String]
    /// The checks of the embedded backend before it rejected the request, in its order; empty for
    /// every other response.
    package var checks: [ExchangeCheck]
    /// The parts of the request and the response that a user edited, as they were before.
    package var originalRequest = OriginalParts()
    package var originalResponse = OriginalParts()

    /// The edited parts of a message before the edits; nil for the others.
    package struct OriginalParts: Sendable, Equatable {
        package var method: String?
        package var url: String?
        package var status: Int?
        package var headers: Headers?
        package var body: RecordedBody?

        package var isEmpty: Bool { self == OriginalParts() }
    }

    /// A body as recorded.
    package struct RecordedBody: Sendable, Equatable {
        /// The text if the body is UTF-8 without NUL; otherwise nil, and `binary` has the body.
        package var text: String?
        var binary: [UInt8] = []
        /// The length before redaction and truncation.
        package var length: Int

        package var bytes: [UInt8] { text.map { Array($0.utf8) } ?? binary }

        package var storedLength: Int { text?.utf8.count ?? binary.count }

        /// Whether the body was left out; its text then gives the reason.
        package var isWithheld: Bool {
            guard let text else { return false }
            return Redaction.withheldPrefixes.contains { text.hasPrefix($0) }
        }

        /// Whether the end is missing. A recorded body can exceed `length` if the original was
        /// compressed.
        package var isTruncated: Bool {
            storedLength >= ExchangeRecord.bodyLimit && length != storedLength
        }
    }

    /// `text` with every token placeholder replaced by its masked form.
    package func masked(_ text: String) -> String { filled(text, with: tokens) }

    /// `text` with every token placeholder replaced from `values`; nil for the masked forms.
    package func filled(_ text: String, with values: [String]?) -> String {
        Redaction.fillPlaceholders(text, with: values ?? tokens)
    }

    /// The index of the token that the header field carries as a bearer token.
    package func bearerTokenIndex(in field: Headers.Field) -> Int? {
        guard field.name.lowercased() == "authorization",
            field.value.lowercased().hasPrefix("bearer ")
        else { return nil }
        let numbered = filled(field.value, with: tokens.indices.map(String.init))
        guard numbered != field.value, let index = Int(numbered.dropFirst("bearer ".count)),
            tokens.indices.contains(index)
        else { return nil }
        return index
    }
}

/// A check that the server made before it rejected a request.
package struct ExchangeCheck: Sendable, Equatable {
    /// Machine-readable: `expiry`, `password` …
    package var name: String
    /// Human-readable, as a statement that holds or does not.
    package var title: String
    package var state: State
    /// What the check saw, in words; may be empty. Tokens are placeholders.
    package var evidence: String

    /// The outcome; a check after the first failure is skipped.
    package enum State: String, Sendable, CaseIterable {
        case passed, failed
        case skipped
        /// Cannot be determined here: only the server knows.
        case unknown
    }

    package init(name: String, title: String, state: State, evidence: String) {
        self.name = name
        self.title = title
        self.state = state
        self.evidence = evidence
    }
}
