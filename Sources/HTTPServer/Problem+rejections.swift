import Web

/// Responses of the server itself, before or instead of the responder. Most close the connection,
/// since its following bytes are unreliable.
extension Problem {
    static func bodyTooLarge(_ limit: Int) -> Problem {
        let limitText = limit < 1 << 20 ? "\(limit) bytes" : "\(limit >> 20) MiB"
        return Problem(
            status: 413, code: "body-too-large", title: "The request body is too large",
            detail: "It may have \(limitText) at most here.", headers: closeHeaders)
    }

    static let tooManyLargeBodies = Problem(
        status: 503, code: "too-many-files", title: "Other files are being taken in",
        detail: "So large ones wait for each other: send it again in a moment.",
        headers: ["Retry-After": "5", "Connection": "close"])

    static func headersTooLarge(_ limit: Int) -> Problem {
        Problem(
            status: 431, code: "headers-too-large", title: "The request headers are too large",
            detail: "Request line and headers may have \(limit) bytes together.",
            headers: closeHeaders)
    }

    /// An internal error, or a bad gateway if the response is proxied.
    static func unsendableStatus(isProxied: Bool) -> Problem {
        Problem(
            status: isProxied ? 502 : 500, code: "status-unknown",
            title: "The answer has a status that cannot be sent",
            detail: "A status has three digits, and those below 200 end no request.")
    }

    static func responseHeadersTooLarge(isProxied: Bool) -> Problem {
        Problem(
            status: isProxied ? 502 : 500, code: "answer-headers-too-large",
            title: "The answer's headers are too large",
            detail: "They may have \(Response.headerLimit) bytes.")
    }

    static let stopping = Problem(
        status: 503, code: "stopping", title: "Foyer is stopping",
        detail: "Start it again, then repeat the request.", headers: closeHeaders)

    static let tooManyStreams = Problem(
        status: 503, code: "too-many-streams", title: "Too many live streams are open",
        detail: "Close other pages, or come back in a moment.",
        headers: ["Retry-After": "5", "Connection": "close"])

    private static let closeHeaders: Headers = ["Connection": "close"]
}
