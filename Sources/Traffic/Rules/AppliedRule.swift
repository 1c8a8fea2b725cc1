import Web

/// One application of a rule to an exchange: what it did, and what the user edited.
package struct AppliedRule: Sendable, Equatable {
    package var id: String
    package var kind: TrafficRule.Kind
    package var outcome: Outcome
    /// The parts of the message that were edited, in the order of `Part`.
    package var edited: [Part]
    /// Milliseconds it was paused, which its timings do not include.
    package var pausedFor: Double

    package init(
        id: String, kind: TrafficRule.Kind, outcome: Outcome, edited: [Part] = [],
        pausedFor: Double = 0
    ) {
        self.id = id
        self.kind = kind
        self.outcome = outcome
        self.edited = edited
        self.pausedFor = pausedFor
    }

    /// How it ended; the raw value is its API name.
    package enum Outcome: String, Sendable, CaseIterable {
        /// Continued unchanged by the user.
        case continued
        case edited
        case aborted
        /// Continued unchanged after the rule's time-out.
        case timedOut
        /// Continued unchanged because the rule was turned off or deleted, the workspace was reset
        /// or ended, or Foyer stopped.
        case released
        /// The client disconnected while it was paused.
        case disconnected
        /// Not paused, because too many others were.
        case notPaused
        /// Foyer responded instead of the backend.
        case responded
    }

    /// A part of a request or a response.
    package enum Part: String, Sendable, CaseIterable { case method, path, status, headers, body }

    /// Whether the response is not, or not entirely, the backend's.
    package var madeResponse: Bool {
        outcome == .responded || kind == .pauseResponse && outcome == .edited
    }

    /// For chips and the timeline: `Intercepted, edited`.
    package var label: String {
        switch outcome {
        case .continued, .disconnected: "Intercepted"
        case .edited:
            kind == .pauseResponse ? "Intercepted, response edited" : "Intercepted, request edited"
        case .aborted: "Intercepted, aborted"
        case .timedOut: "Intercepted, timed out"
        case .released: "Intercepted, released"
        case .notPaused: "Not intercepted, too many paused"
        case .responded: "Mapped response"
        }
    }
}

/// What rules did with an exchange, and its messages before the edits.
struct RuleEffects: Sendable {
    var applied: [AppliedRule] = []
    /// The request before it was edited; nil if it was not.
    var originalRequest: OutboundRequest?
    /// The response before it was edited; nil if it was not.
    var originalResponse: UpstreamResponse?

    /// Adds the secrets of what was sent and received, before and after the edits, which an app's
    /// manifest does not know.
    func addSecrets(
        _ request: OutboundRequest, _ response: UpstreamResponse?, to context: inout ExchangeContext
    ) {
        var secrets = SecretFields()
        for request in [request, originalRequest].compactMap(\.self) {
            let reason = secrets.read(request)
            context.bodyWithheldReason = context.bodyWithheldReason ?? reason
        }
        var responseSecrets = SecretFields()
        for response in [response, originalResponse].compactMap(\.self) {
            responseSecrets.read(response)
            context.tokens += context.extractTokens(response)
        }
        context.passwords += secrets.passwords + responseSecrets.passwords
        context.tokens += secrets.tokens + responseSecrets.tokens
    }

    /// The edited parts of the request, or of the response.
    func edited(_ kind: TrafficRule.Kind) -> [AppliedRule.Part] {
        applied.first { $0.kind == kind }?.edited ?? []
    }
}
