import Web

/// Results of exchanges that a fault affects.
extension ExchangeResult {
    /// Adds the fault header to a response made by Foyer, so that it is not mistaken for a
    /// backend's.
    mutating func addFaultHeader(_ label: String, for appliedFaults: [AppliedFault]) {
        guard var response,
            appliedFaults.contains(where: { [.status, .rateLimited].contains($0.fault.kind) })
        else { return }
        response.headers["X-Foyer-Fault"] = label
        outcome = .responded(response)
    }
}

extension ExchangeResult.Outcome {
    /// The status, such as `201`, or why there was no response.
    var summary: String {
        switch self {
        case .responded(let response): String(response.status)
        case .failed(let failure): failure.kind.rawValue
        }
    }
}

/// The failures a device's network would report, worded as deliberate.
extension TransportFailure {
    static let offline = TransportFailure(.nameLookup, "Simulated: no network, nothing was sent.")
    static let connectionLost = TransportFailure(
        .connection, "Simulated: the network was lost before the response.")
    static let connectionReset = TransportFailure(
        .connection, "Simulated: connection reset by peer.")
    static let timeout = TransportFailure(.timeout, "Simulated: no response in time.")
    static let tooSlow = TransportFailure(
        .timeout, "Simulated: delay longer than the call's timeout.")
    static let cancelled = TransportFailure(.cancelled, "Nothing was sent.")
}

extension Fault.Draft {
    /// How long a fault of kind `slow` delays a call.
    var delayDuration: Duration { .seconds(delay ?? Self.defaultDelay) }

    /// The response that replaces the backend's.
    var response: UpstreamResponse {
        var fields = Headers()
        let text = body ?? ""
        if !text.isEmpty {
            let isJSON = (try? JSON(parsing: text)) != nil
            fields["Content-Type"] = isJSON ? "application/json" : "text/plain; charset=utf-8"
        }
        if kind == .rateLimited {
            fields["Retry-After"] = String(retryAfter ?? Self.defaultRetryAfter)
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields[name] = value }
        return UpstreamResponse(
            status: kind == .rateLimited ? 429 : status ?? 500, headers: fields,
            body: Array(text.utf8))
    }
}
