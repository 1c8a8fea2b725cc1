/// What came of an outbound request: an answer or a failure to get one, and
/// how long each phase took.
package struct ExchangeResult: Sendable {
    package var outcome: Outcome
    package var timings: Timings
    /// The address that was talked to, nil if none was.
    package var remoteAddress: String?
    /// The request's header fields as they left, with what the client added.
    package var sentHeaders: Headers

    package init(
        outcome: Outcome, timings: Timings = Timings(), remoteAddress: String? = nil,
        sentHeaders: Headers = [:]
    ) {
        self.outcome = outcome
        self.timings = timings
        self.remoteAddress = remoteAddress
        self.sentHeaders = sentHeaders
    }

    /// An answer that says no is still an answer.
    package enum Outcome: Sendable {
        case responded(UpstreamResponse)
        case failed(TransportFailure)
    }
}
