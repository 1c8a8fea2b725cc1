import Synchronization
package import Web

/// A transport with scripted responses, which reports every unexpected request.
package final class StubTransport: Sendable {
    /// The scripted outcome of a request.
    package enum Reply: Sendable {
        case json(Int, String)
        case failure(TransportFailure.Kind)
        /// The reply, once the latch is open.
        indirect case held(Latch, Reply)
        /// Computed from the request.
        case made(@Sendable (OutboundRequest) -> Reply)
    }

    private let state = Mutex(State())
    private let onUnexpected: @Sendable (String) -> Void

    private struct State {
        /// By method and end of the path; each reply is used once, in order.
        var scripted: [String: [Reply]] = [:]
        var permanent: [String: Reply] = [:]
        var requests: [OutboundRequest] = []
    }

    /// `unexpected` receives the method and URL of a request without a reply.
    package init(unexpected: @escaping @Sendable (String) -> Void) { onUnexpected = unexpected }

    package var transport: Transport {
        Transport { [self] request in
            ExchangeResult(outcome: await reply(to: request), timings: Timings(total: 1.5))
        }
    }

    /// Adds replies to the next requests for `call` (`POST /auth/login`), in this order.
    package func script(_ call: String, _ replies: Reply...) {
        state.withLock { $0.scripted[call, default: []] += replies }
    }

    /// Sets the reply to every request for `call` without a scripted one.
    package func always(_ call: String, _ reply: Reply) {
        state.withLock { $0.permanent[call] = reply }
    }

    /// All requests, in order.
    package var requests: [OutboundRequest] { state.withLock { $0.requests } }

    /// The requests for `call`.
    package func sent(_ call: String) -> [OutboundRequest] {
        requests.filter { Self.matches(call, $0) }
    }

    private func reply(to request: OutboundRequest) async -> ExchangeResult.Outcome {
        let reply = state.withLock { state in
            state.requests.append(request)
            for (call, replies) in state.scripted
            where Self.matches(call, request) && !replies.isEmpty {
                return state.scripted[call]?.removeFirst()
            }
            return state.permanent.first { Self.matches($0.key, request) }?.value
        }
        guard let reply else {
            onUnexpected("\(request.method.rawValue) \(request.url)")
            return .failed(TransportFailure(.refusedURL, "unexpected"))
        }
        return await outcome(reply, request)
    }

    private func outcome(_ reply: Reply, _ request: OutboundRequest) async -> ExchangeResult.Outcome
    {
        switch reply {
        case .json(let status, let body):
            return .responded(
                UpstreamResponse(
                    status: status, headers: ["Content-Type": "application/json"],
                    body: Array(body.utf8)))
        case .failure(let kind): return .failed(TransportFailure(kind, "scripted"))
        case .held(let latch, let reply):
            await latch.wait()
            return await outcome(reply, request)
        case .made(let make): return await outcome(make(request), request)
        }
    }

    private static func matches(_ call: String, _ request: OutboundRequest) -> Bool {
        let parts = call.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return false }
        let path = request.url.split(separator: "?")[0]
        return request.method.rawValue == parts[0] && path.hasSuffix(parts[1])
    }
}

extension OutboundRequest {
    /// The bearer token.
    package var bearer: String? { headers["Authorization"].map { String($0.dropFirst(7)) } }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

extension Response {
    /// The body as text; empty unless it is in memory.
    package var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Transport {
    /// A transport that streams by waiting for the complete body and response, unless it has
    /// `openStream`.
    package init(
        send: @escaping @Sendable (OutboundRequest) async -> ExchangeResult,
        openStream: (@Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse)? = nil
    ) {
        let buffered: @Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse = {
            request, bodyStream in
            var request = request
            var chunk = await bodyStream?.next() ?? .end
            while case .bytes(let bytes) = chunk {
                request.body += bytes
                chunk = await bodyStream?.next() ?? .end
            }
            guard chunk == .end else {
                return StreamingResponse(ExchangeResult(outcome: .failed(.uploadAborted)))
            }
            return StreamingResponse(await send(request))
        }
        self.init(send: send, openStream: openStream ?? buffered)
    }
}
