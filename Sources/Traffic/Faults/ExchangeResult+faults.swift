import Web

/// What a condition makes of a delivery.
extension ExchangeResult {
    /// Nothing came, after so long.
    static func failed(_ failure: TransportFailure, after waited: Duration) -> ExchangeResult {
        ExchangeResult(outcome: .failed(failure), timings: Timings(total: waited.milliseconds))
    }

    /// Says on an answer that Foyer gave it, so that it is never taken for a
    /// backend's.
    mutating func addFaultHeader(_ stamp: String, for blows: [AppliedFault]) {
        guard case .responded(var response) = outcome,
            blows.contains(where: { [.status, .rateLimited].contains($0.fault.kind) })
        else { return }
        response.headers["Foyer-Condition"] = stamp
        outcome = .responded(response)
    }
}

extension ExchangeResult.Outcome {
    /// `201`, or why there was no answer.
    var summary: String {
        switch self {
        case .responded(let response): String(response.status)
        case .failed(let failure): failure.kind.rawValue
        }
    }
}

/// What a phone's network says in such a case, and that it was on purpose.
extension TransportFailure {
    static let offline = TransportFailure(
        kind: .nameLookup, detail: "No network, on purpose: nothing was sent.")
    static let connectionLost = TransportFailure(
        kind: .connection, detail: "The network went, on purpose, before the answer came.")
    static let connectionReset = TransportFailure(
        kind: .connection, detail: "Connection reset by peer, on purpose.")
    static let timeout = TransportFailure(kind: .timeout, detail: "No answer in time, on purpose.")
    static let tooSlow = TransportFailure(
        kind: .timeout, detail: "Slower, on purpose, than the call was ready to wait.")
    static let cancelled = TransportFailure(kind: .cancelled, detail: "Nothing was sent.")
}

extension Fault.Draft {
    /// How long one that is slow holds a call up.
    var delayDuration: Duration { .seconds(delay ?? Self.defaultDelay) }

    /// The answer given instead of a backend's.
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

extension Duration {
    var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
    }

    static func milliseconds(_ value: Double) -> Duration {
        .nanoseconds(Int(clamping: value * 1_000_000))
    }
}
