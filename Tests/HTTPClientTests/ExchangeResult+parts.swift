import Testing
import Web

extension ExchangeResult {
    /// The response; a transport failure fails the test.
    func response(_ location: SourceLocation = #_sourceLocation) throws -> UpstreamResponse {
        switch outcome {
        case .responded(let response): return response
        case .failed(let failure):
            Issue.record("\(failure.kind): \(failure.detail)", sourceLocation: location)
            throw failure
        }
    }

    /// Nil if there was a response.
    var failure: TransportFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }
}

extension Transport {
    func get(_ url: String, headers: Headers = [:], timeout: Duration = .seconds(20)) async
        -> ExchangeResult
    { await send(OutboundRequest(method: .get, url: url, headers: headers, timeout: timeout)) }

    func post(_ url: String, _ body: String, headers: Headers = [:]) async -> ExchangeResult {
        await send(
            OutboundRequest(
                method: .post, url: url, headers: headers, body: Array(body.utf8),
                timeout: .seconds(20)))
    }
}
