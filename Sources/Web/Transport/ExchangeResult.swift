/// Result of an outbound request: a response or a failure, and how long each phase took.
package struct ExchangeResult: Sendable {
    package var outcome: Outcome
    package var timings: Timings
    /// The address of the connection, nil without one.
    package var remoteAddress: String?
    /// The request's header fields as sent, with those that the client added.
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

    /// An error status is still a response.
    package enum Outcome: Sendable {
        case responded(UpstreamResponse)
        case failed(TransportFailure)
    }
}
