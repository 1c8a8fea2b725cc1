import Web

/// Responses of the server itself, before or instead of the responder. Most close the connection,
/// since its following bytes are unreliable.
extension Problem {
    static func bodyTooLarge(_ limit: Int) -> Problem {
        let limitText = limit < 1 << 20 ? "\(limit) bytes" : "\(limit >> 20) MiB"
        return Problem(
            status: 413, code: "body-too-large", title: "Payload too large",
            detail: "The limit is \(limitText) here.", headers: closeHeaders)
    }

    static let tooManyLargeBodies = Problem(
        status: 503, code: "too-many-files", title: "Other uploads are in progress",
        detail: "Large uploads are limited. Try again in a moment.",
        headers: ["Retry-After": "5", "Connection": "close"])

    static func headersTooLarge(_ limit: Int) -> Problem {
        Problem(
            status: 431, code: "headers-too-large", title: "Request headers too large",
            detail: "The limit for request line and headers is \(limit) bytes.",
            headers: closeHeaders)
    }

    /// An internal error, or a bad gateway if the response is proxied.
    static func unsendableStatus(isProxied: Bool) -> Problem {
        Problem(
            status: isProxied ? 502 : 500, code: "status-unknown", title: "Invalid response status",
            detail: "A final status has three digits and is at least 200.")
    }

    static func responseHeadersTooLarge(isProxied: Bool) -> Problem {
        Problem(
            status: isProxied ? 502 : 500, code: "response-headers-too-large",
            title: "Response headers too large",
            detail: "The limit is \(Response.headerLimit) bytes.")
    }

    static let stopping = Problem(
        status: 503, code: "stopping", title: "Foyer is stopping",
        detail: "Start it again, then repeat the request.", headers: closeHeaders)

    static let tooManyStreams = Problem(
        status: 503, code: "too-many-streams", title: "Too many live streams are open",
        detail: "Close other pages, or try again in a moment.",
        headers: ["Retry-After": "5", "Connection": "close"])

    private static let closeHeaders: Headers = ["Connection": "close"]
}
