/// Sends outbound requests and reports their results.
///
/// It has one real implementation (libcurl), so it is a struct of closures. It never throws: a
/// failure is a result like any other.
package struct Transport: Sendable {
    /// Waits for the complete response.
    package var send: @Sendable (OutboundRequest) async -> ExchangeResult
    /// Waits for the head of the response; the body stream, if any, is uploaded as the request's
    /// body.
    package var openStream: @Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse

    package init(
        send: @escaping @Sendable (OutboundRequest) async -> ExchangeResult,
        openStream: @escaping @Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse
    ) {
        self.send = send
        self.openStream = openStream
    }
}

/// A backend's response with any status.
package struct UpstreamResponse: Sendable, Equatable {
    package var status: Int
    package var headers: Headers
    package var body: [UInt8]

    package init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why an outbound request got no response.
package struct TransportFailure: Error, Sendable, Equatable {
    package var kind: Kind
    /// A sentence for a developer; contains no header, body or secret.
    package var detail: String

    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The client that uploads the request's body stopped before its end.
    package static let uploadAborted = TransportFailure(
        .cancelled, "The request was not sent completely.")

    /// The raw value appears in the API and in recorded exchanges.
    package enum Kind: String, Sendable, CaseIterable {
        /// The URL is malformed, not http(s), or http to a remote host.
        case refusedURL
        /// The address is the console's own, or of a kind that is never allowed.
        case refusedAddress
        /// The host name has no address.
        case nameLookup
        /// The connection was refused or lost.
        case connection
        /// The certificate or the TLS handshake failed.
        case tls
        case timeout
        /// The received bytes are not HTTP.
        case invalidResponse
        /// The response exceeds the limit (8 MiB).
        case tooLarge
        /// The request exceeds the limit (1 MiB).
        case requestTooLarge
        /// The caller no longer waits.
        case cancelled
    }
}

/// A response whose head has arrived, with its body or a stream of it.
package struct StreamingResponse: Sendable {
    /// Contains the body if it arrived together with the head.
    package var result: ExchangeResult
    /// The remaining body; nil if `result` contains it, or if there is no response.
    package var body: BodyStream?
    /// Valid after the end of `body`: its timings, and why it was aborted if it was.
    package let completion: @Sendable () -> Completion

    package init(
        _ result: ExchangeResult, body: BodyStream? = nil,
        completion: @escaping @Sendable () -> Completion = { (Timings(), nil) }
    ) {
        self.result = result
        self.body = body
        self.completion = completion
    }

    package typealias Completion = (timings: Timings, failure: TransportFailure?)
}

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

    package var response: UpstreamResponse? {
        if case .responded(let response) = outcome { response } else { nil }
    }

    package var failure: TransportFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }

    /// An error status is still a response.
    package enum Outcome: Sendable {
        case responded(UpstreamResponse)
        case failed(TransportFailure)
    }
}

/// How long each phase of an exchange took, in milliseconds.
///
/// A phase that did not happen (a reused connection, no TLS) is nil.
package struct Timings: Sendable, Equatable {
    package var nameLookup: Double?
    package var connect: Double?
    package var tls: Double?
    /// From the sent request to the response's first byte.
    package var firstByte: Double?
    /// From the start to the last byte or the failure.
    package var total: Double

    package init(
        nameLookup: Double? = nil, connect: Double? = nil, tls: Double? = nil,
        firstByte: Double? = nil, total: Double = 0
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
    }
}
