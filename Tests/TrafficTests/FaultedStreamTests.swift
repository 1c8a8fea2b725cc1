import Core
import Support
import Synchronization
import Testing
import Web

@testable import Traffic

/// Faults applied to exchanges with streamed bodies.
@Suite(.timeLimit(.minutes(10))) struct FaultedStreamTests {
    /// A backend that reads the complete upload and then streams its response.
    private final class Backend: Sendable {
        private let state = Mutex((received: 0, canceled: 0, isSent: false))

        /// The number of bytes received, and how often the response stream was canceled.
        var received: Int { state.withLock(\.received) }
        var canceled: Int { state.withLock(\.canceled) }

        func open(_ bodyStream: BodyStream?) async -> StreamingResponse {
            while case .bytes(let bytes)? = await bodyStream?.next() {
                state.withLock { $0.received += bytes.count }
            }
            let body = BodyStream(
                length: nil,
                next: { [self] in
                    let isFirst = state.withLock { state in
                        defer { state.isSent = true }
                        return !state.isSent
                    }
                    return isFirst ? .bytes(Array("done".utf8)) : .end
                }, cancel: { [self] in state.withLock { $0.canceled += 1 } })
            return StreamingResponse(
                ExchangeResult(
                    outcome: .responded(UpstreamResponse(status: 201)), timings: Timings(total: 2)),
                body: body,
                completion: { (Timings(total: 3), nil) })
        }
    }

    private static func uploadStream() -> BodyStream {
        let chunks = Mutex([BodyStream.Chunk.bytes(Array("four".utf8)), .end])
        return BodyStream(length: nil, next: { chunks.withLock { $0.removeFirst() } }, cancel: {})
    }

    /// Uploads to `backend` while the fault is active.
    private func upload(_ draft: Fault.Draft, to backend: Backend) async throws
        -> FaultInjectingTransport.FaultedExchange
    {
        let fixture = try await FaultFixture(open: { _, bodyStream in await backend.open(bodyStream)
        })
        try await fixture.add(draft)
        return await fixture.recorder.transport.open(
            OutboundRequest(method: .put, url: "http://127.0.0.1:7071/main/x/file"),
            Self.uploadStream(), as: FaultFixture.context(), exchange: "exc_1"
        ).faulted
    }

    /// The recorded total of the same upload through the proxy, once its response is read.
    private func recordedTotal(_ draft: Fault.Draft) async throws -> Double {
        let backend = Backend()
        let fixture = try await FaultFixture(open: { _, bodyStream in await backend.open(bodyStream)
        })
        try await fixture.add(draft)
        let request = Request(method: .put, target: "/file", bodyStream: Self.uploadStream())
        let response = try await fixture.recorder.forward(
            ProxyRequest(request, relativeTarget: "/file", clientBaseURL: ""),
            to: ProxyTarget(baseURL: "http://127.0.0.1:7071/main/x", passwordFields: []) { _ in
                (FaultFixture.context(), { _ in })
            })
        if case .proxied(let body) = response.body {
            while case .bytes = await body.next() {}
        }
        let page = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        return try #require(page.items.first).timings.total
    }

    @Test(arguments: [
        (Fault.Draft(.offline, phase: .after), TransportFailure.Kind.connection),
        (Fault.Draft(.reset, phase: .after), .connection),
        (Fault.Draft(.timeout, phase: .after, delay: 5), .timeout),
    ]) func `a fault after processing loses the response`(
        draft: Fault.Draft, failure: TransportFailure.Kind
    ) async throws {
        let backend = Backend()
        let exchange = try await upload(draft, to: backend)
        #expect(exchange.response.result.outcome.failure == failure)
        #expect(exchange.response.body == nil)
        #expect(backend.received == 4)
        #expect(backend.canceled == 1)
        #expect(exchange.faultLabel == "\(draft.displayName) after 201, no. 1")
    }

    @Test func `a status fault after processing replaces the response and names itself`()
        async throws
    {
        let backend = Backend()
        let exchange = try await upload(
            .init(.status, times: 1, phase: .after, status: 503), to: backend)
        let response = try #require(exchange.response.result.outcome.response)
        #expect(response.status == 503)
        #expect(response.headers["X-Foyer-Fault"] == "status 503 after 201, 1 of 1")
        #expect(exchange.response.body == nil && backend.received == 4)
    }

    @Test func `a response delayed after processing arrives completely`() async throws {
        let backend = Backend()
        let exchange = try await upload(.init(.slow, phase: .after, delay: 3), to: backend)
        #expect(exchange.response.result.timings.total == 3_002)
        #expect(await exchange.response.body?.next() == .bytes(Array("done".utf8)))
        #expect(backend.canceled == 0)
        #expect(exchange.faultLabel == "slow, no. 1")
        // The recorded total includes the end of the body.
        #expect(try await recordedTotal(.init(.slow, phase: .after, delay: 3)) == 3_003)
    }

    @Test func `a request delayed before processing is recorded with its delay`() async throws {
        let exchange = try await upload(.init(.slow, delay: 3), to: Backend())
        #expect(try await recordedTotal(.init(.slow, delay: 3)) == 3_003)
        #expect(exchange.faultLabel == "slow, no. 1")
    }

    @Test func `a fault before processing reads nothing of the upload`() async throws {
        let backend = Backend()
        let exchange = try await upload(.init(.offline), to: backend)
        #expect(exchange.response.result.outcome.failure == .nameLookup)
        #expect(backend.received == 0)
        #expect(exchange.faultLabel == "offline, no. 1")
    }
}
