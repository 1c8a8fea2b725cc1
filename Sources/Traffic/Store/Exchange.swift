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
}

extension Exchange {
    /// The URL without scheme and authority; query included.
    package var pathAndQuery: String { URLParts(url).requestTarget }
}

extension Exchange {
    /// Replaces each token placeholder in a text of a listed exchange with `…`. Masked tokens are
    /// only in `ExchangeDetail`.
    package static func elidingTokens(_ text: String) -> String {
        Redaction.fillPlaceholders(text, with: Array(repeating: "…", count: Redaction.maxTokens))
    }
}
