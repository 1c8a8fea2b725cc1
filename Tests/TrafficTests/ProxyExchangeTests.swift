import Core
import Support
import Synchronization
import Testing
import Web

@testable import Traffic

/// Proxied responses: what is forwarded, and what is recorded if the client disconnects.
@Suite(.timeLimit(.minutes(10))) struct ProxyExchangeTests {
    /// A body of these chunks, which then waits until it is canceled.
    private final class ScriptedBody: Sendable {
        private let state: Mutex<State>

        private struct State {
            var chunks: [BodyStream.Chunk]
            var isCanceled = false
            var consumer: CheckedContinuation<BodyStream.Chunk, Never>?
        }

        init(_ chunks: [BodyStream.Chunk]) { state = Mutex(State(chunks: chunks)) }

        var isCanceled: Bool { state.withLock(\.isCanceled) }

        var isAwaited: Bool { state.withLock { $0.consumer != nil } }

        var stream: BodyStream {
            BodyStream(
                length: nil, next: { [self] in await next() }, cancel: { [self] in cancel() })
        }

        func completion() -> StreamingResponse.Completion {
            let isCanceled = state.withLock(\.isCanceled)
            return (
                Timings(total: 2),
                isCanceled ? TransportFailure(.cancelled, "") : nil
            )
        }

        private func next() async -> BodyStream.Chunk {
            await withCheckedContinuation { consumer in
                let chunk: BodyStream.Chunk? = state.withLock { state in
                    if !state.chunks.isEmpty { return state.chunks.removeFirst() }
                    if state.isCanceled { return .aborted }
                    state.consumer = consumer
                    return nil
                }
                if let chunk { consumer.resume(returning: chunk) }
            }
        }

        private func cancel() {
            let consumer = state.withLock { state in
                // A body that had reached its end completed normally.
                if state.chunks.first != .end { state.isCanceled = true }
                defer { state.consumer = nil }
                return state.consumer
            }
            consumer?.resume(returning: .aborted)
        }
    }

    /// The response to a client that requests `/x`, if the backend sends `response`.
    private func proxied(_ response: UpstreamResponse) async throws -> (
        fixture: FaultFixture, response: Response
    ) { try await proxied(StreamingResponse(ExchangeResult(outcome: .responded(response)))) }

    private func proxied(_ response: StreamingResponse) async throws -> (
        fixture: FaultFixture, response: Response
    ) {
        let responses = Mutex<StreamingResponse?>(response)
        let fixture = try await FaultFixture(open: { _, _ in
            // The exchange alone holds the body.
            responses.withLock { $0.take() }
                ?? StreamingResponse(ExchangeResult(outcome: .failed(.cancelled)))
        })
        let target = ProxyTarget(baseURL: "http://127.0.0.1:7071/main/x", passwordFields: []) { _ in
            (FaultFixture.context(), { _ in })
        }
        return (
            fixture,
            try await fixture.recorder.forward(proxyRequest("/x"), to: target)
        )
    }

    private func proxyRequest(_ target: String) -> ProxyRequest {
        ProxyRequest(
            Request(method: .get, target: target), relativeTarget: target,
            clientBaseURL: "http://127.0.0.1:7070/proxy/main/mystica")
    }

    @Test(arguments: [200, 599, 600, 742, 999]) func `any status number is forwarded`(
        status: Int
    ) async throws {
        let (fixture, response) = try await proxied(UpstreamResponse(status: status))
        #expect(response.status == status)
        #expect(response.isProxied)
        #expect(try await recorded(fixture).status == status)
    }

    @Test func `too many headers to forward are reported and recorded as a failure`() async throws {
        let long = String(repeating: "v", count: 1_000)
        let (fixture, response) = try await proxied(
            UpstreamResponse(
                status: 200, headers: Headers((0..<17).map { .init(name: "X-\($0)", value: long) }))
        )
        #expect(response.status == 502)
        #expect(response.headers["X-Foyer-Error"] == "invalidResponse")
        let exchange = try await recorded(fixture)
        #expect(exchange.failure?.kind == .invalidResponse)
        #expect(exchange.failure?.detail.contains("header") == true)
        #expect(response.headers["X-Foyer-Exchange"] == exchange.id)
    }

    @Test func `a backend cannot set Foyer's own cookies and headers`() async throws {
        let (_, response) = try await proxied(
            UpstreamResponse(
                status: 200,
                headers: Headers(
                    [
                        ("Set-Cookie", "a=1; Path=/"),
                        ("set-cookie", " Foyer_key_7070=stolen; Path=/"),
                        ("Set-Cookie", "=foyer_key_7070=stolen"),
                        ("Set-Cookie", "b=foyer_key_7070"),
                        ("Clear-Site-Data", "\"*\""),
                        ("x-foyer-exchange", "exc_another"),
                        ("X-Foyer-Error", "connection"), ("X-Own", "1"),
                    ].map { .init(name: $0.0, value: $0.1) })))
        let fields = response.headers.fields.map { "\($0.name): \($0.value)" }
        #expect(
            fields.dropLast() == [
                "Set-Cookie: a=1; Path=/", "Set-Cookie: b=foyer_key_7070", "X-Own: 1",
            ])
        #expect(fields.last?.hasPrefix("X-Foyer-Exchange: exc_") == true)
        #expect(fields.last?.contains("another") == false)
    }

    @Test(arguments: [
        "/../x", "/a/..;/x", "/a/..;v=1/x", "/.;/x", "/a/%2e%2e%3bx/y", "/a/%2e.;/x", "/..;",
    ]) func `no encoding of a path leads above the backend's base path`(target: String) {
        #expect {
            try proxyRequest(target).validatePath()
        } throws: {
            ($0 as? Problem)?.code == "malformed-target"
        }
    }

    /// The proxied body of a response, as its client reads it.
    private func proxiedStream(_ body: ScriptedBody, length: Int?) async throws -> (
        fixture: FaultFixture, stream: BodyStream
    ) {
        var headers: Headers = ["Content-Type": "application/json"]
        if let length { headers["Content-Length"] = "\(length)" }
        let (fixture, response) = try await proxied(
            StreamingResponse(
                ExchangeResult(
                    outcome: .responded(UpstreamResponse(status: 200, headers: headers))),
                body: body.stream, completion: body.completion))
        guard case .proxied(let stream) = response.body else {
            throw Problem(status: 500, code: "no-flow", title: "", detail: "")
        }
        return (fixture, stream)
    }

    /// The one exchange, once it is recorded.
    private func recorded(_ fixture: FaultFixture) async throws -> Exchange {
        let query = ExchangeQuery(workspace: "main")
        _ = try await eventually { try await fixture.store.list(query).total == 1 }
        return try #require(try await fixture.store.list(query).items.first)
    }

    private static let firstChunk = BodyStream.Chunk.bytes(Array(#"{"a""#.utf8))
    private static let secondChunk = BodyStream.Chunk.bytes(Array(":1}".utf8))

    @Test(
        arguments: [
            ([firstChunk, secondChunk], 7), ([firstChunk, secondChunk, .end], 7),
            ([firstChunk, secondChunk, .end], nil),
        ]
            as [([BodyStream.Chunk], Int?)]) func `a complete response is recorded as complete`(
            chunks: [BodyStream.Chunk], length: Int?
        ) async throws
    {
        let (fixture, stream) = try await proxiedStream(ScriptedBody(chunks), length: length)
        #expect(await stream.next() == Self.firstChunk)
        #expect(await stream.next() == Self.secondChunk)
        stream.cancel()
        stream.cancel()
        let exchange = try await recorded(fixture)
        #expect(exchange.status == 200)
        #expect(exchange.failure == nil)
        #expect(exchange.responseBytes == 7)
        #expect(await stream.next() == .aborted)
    }

    @Test(
        arguments: [
            ([firstChunk, secondChunk], 7), ([firstChunk, secondChunk, .end], 7),
            ([firstChunk, secondChunk, .end], nil), ([firstChunk], nil),
        ] as [([BodyStream.Chunk], Int?)])
    func `a client that disconnects during a response is recorded`(
        chunks: [BodyStream.Chunk], length: Int?
    ) async throws {
        let (fixture, stream) = try await proxiedStream(ScriptedBody(chunks), length: length)
        #expect(await stream.next() == Self.firstChunk)
        stream.cancel()
        let exchange = try await recorded(fixture)
        #expect(exchange.failure?.kind == .cancelled)
        #expect(exchange.failure?.detail.contains("client disconnected") == true)
    }

    @Test(arguments: [(3, nil), (4, 200)] as [(Int?, Int?)])
    func `a disconnect before the end fails unless the announced length arrived`(
        length: Int?, status: Int?
    )
        async throws
    {
        // A length of three for four bytes is an error of the backend.
        let body = ScriptedBody([Self.firstChunk])
        let (fixture, stream) = try await proxiedStream(body, length: length)
        #expect(await stream.next() == Self.firstChunk)
        async let last = stream.next()
        #expect(await eventually { body.isAwaited })
        stream.cancel()
        #expect(await last == .aborted)
        #expect(try await recorded(fixture).status == status)
    }

    @Test func `a response that is released unread cancels its transfer and is recorded`()
        async throws
    {
        let body = ScriptedBody([Self.firstChunk])
        let fixture = try await proxiedStream(body, length: nil).fixture
        #expect(await eventually { body.isCanceled })
        #expect(try await recorded(fixture).failure?.kind == .cancelled)
    }
}
