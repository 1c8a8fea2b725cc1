import Support
import Synchronization
import Testing
import Traffic
import Web

@testable import Simulator

/// How an answer that passes through is recorded when its client leaves.
@Suite(.timeLimit(.minutes(10))) struct ProxyExchangeTests {
    /// A body of these pieces; then it waits, until nobody wants it any more.
    private final class Script: Sendable {
        private let state: Mutex<State>

        private struct State {
            var pieces: [BodyStream.Chunk]
            var isLeft = false
            var taker: CheckedContinuation<BodyStream.Chunk, Never>?
        }

        init(_ pieces: [BodyStream.Chunk]) { state = Mutex(State(pieces: pieces)) }

        var isAsked: Bool { state.withLock { $0.taker != nil } }

        var rest: StreamingResponse.Body {
            StreamingResponse.Body(
                stream: BodyStream(
                    length: nil, next: { [self] in await next() }, cancel: { [self] in leave() }),
                completion: { [self] in
                    StreamingResponse.Completion(
                        timings: Timings(total: 2),
                        failure: state.withLock(\.isLeft)
                            ? TransportFailure(kind: .cancelled, detail: "") : nil)
                })
        }

        private func next() async -> BodyStream.Chunk {
            await withCheckedContinuation { consumer in
                let chunk: BodyStream.Chunk? = state.withLock { state in
                    if !state.pieces.isEmpty { return state.pieces.removeFirst() }
                    if state.isLeft { return .aborted }
                    state.taker = consumer
                    return nil
                }
                if let chunk { consumer.resume(returning: chunk) }
            }
        }

        private func leave() {
            let consumer = state.withLock { state in
                // What came to its end before has ended well.
                if state.pieces.first != .end { state.isLeft = true }
                defer { state.taker = nil }
                return state.taker
            }
            consumer?.resume(returning: .aborted)
        }
    }

    /// What a client at `rest` is answered if the backend answers this.
    private func passed(_ response: UpstreamResponse, rest: String = "/x") async throws -> (
        house: SimulatorFixture, response: Response
    ) {
        let result = ExchangeResult(outcome: .responded(response))
        let fixture = try await SimulatorFixture(
            transport: Transport(
                send: { _ in result }, openStream: { _, _ in StreamingResponse(result) }))
        return (fixture, try await fixture.simulator.proxy(passage(rest)))
    }

    private func passage(_ rest: String) -> ProxyRequest {
        ProxyRequest(
            workspace: "main", app: "mystica", device: nil,
            request: Request(method: .get, target: rest), relativeTarget: rest,
            clientBaseURL: "http://127.0.0.1:7070/through/main/mystica")
    }

    @Test(arguments: [200, 599, 600, 742, 999]) func `a status of any number is handed on`(
        status: Int
    ) async throws {
        let (fixture, response) = try await passed(UpstreamResponse(status: status))
        #expect(response.status == status)
        #expect(response.isProxied)
        #expect(try await recorded(fixture).status == status)
    }

    @Test func `more headers than can be handed on are told of and recorded`() async throws {
        let long = String(repeating: "v", count: 1_000)
        let (fixture, response) = try await passed(
            UpstreamResponse(
                status: 200, headers: Headers((0..<17).map { .init(name: "X-\($0)", value: long) }))
        )
        #expect(response.status == 502)
        #expect(response.headers["X-Foyer-Error"] == "invalidAnswer")
        let exchange = try await recorded(fixture)
        #expect(exchange.failure?.kind == .invalidResponse)
        #expect(exchange.failure?.detail.contains("header") == true)
        #expect(response.headers["X-Foyer-Exchange"] == exchange.id)
    }

    @Test func `a backend speaks for itself and never for us`() async throws {
        let (_, response) = try await passed(
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
    ]) func `no spelling leads above the backend's base`(rest: String) async throws {
        await #expect { _ = try await passed(UpstreamResponse(status: 200), rest: rest) } throws: {
            ($0 as? Problem)?.code == "malformed-target"
        }
    }

    /// The body of an answer on its way to its client.
    private func passing(_ script: Script, length: Int?) async throws -> (
        house: SimulatorFixture, flow: BodyStream
    ) {
        var headers: Headers = ["Content-Type": "application/json"]
        if let length { headers["Content-Length"] = "\(length)" }
        let opened = StreamingResponse(
            ExchangeResult(outcome: .responded(UpstreamResponse(status: 200, headers: headers))),
            body: script.rest)
        let fixture = try await SimulatorFixture(
            transport: Transport(send: { _ in opened.result }, openStream: { _, _ in opened }))
        let response = try await fixture.simulator.proxy(passage("/x"))
        guard case .proxied(let flow) = response.body else {
            throw Problem(status: 500, code: "no-flow", title: "", detail: "")
        }
        return (fixture, flow)
    }

    /// The one exchange, once it is recorded.
    private func recorded(_ fixture: SimulatorFixture) async throws -> Exchange {
        let query = ExchangeQuery(workspace: "main")
        _ = try await eventually { try await fixture.exchanges.list(query).total == 1 }
        return try #require(try await fixture.exchanges.list(query).items.first)
    }

    private static let half = BodyStream.Chunk.bytes(Array(#"{"a""#.utf8))
    private static let rest = BodyStream.Chunk.bytes(Array(":1}".utf8))

    @Test(
        arguments: [([half, rest], 7), ([half, rest, .end], 7), ([half, rest, .end], nil)]
            as [([BodyStream.Chunk], Int?)]) func `an answer that came whole is recorded as whole`(
            pieces: [BodyStream.Chunk], length: Int?
        ) async throws
    {
        let (fixture, flow) = try await passing(Script(pieces), length: length)
        #expect(await flow.next() == Self.half)
        #expect(await flow.next() == Self.rest)
        flow.cancel()
        flow.cancel()
        let exchange = try await recorded(fixture)
        #expect(exchange.status == 200)
        #expect(exchange.failure == nil)
        #expect(exchange.responseBytes == 7)
        #expect(await flow.next() == .aborted)
    }

    @Test(
        arguments: [
            ([half, rest], 7), ([half, rest, .end], 7), ([half, rest, .end], nil), ([half], nil),
        ] as [([BodyStream.Chunk], Int?)]) func `a client that left in the middle is told of`(
            pieces: [BodyStream.Chunk], length: Int?
        ) async throws
    {
        let (fixture, flow) = try await passing(Script(pieces), length: length)
        #expect(await flow.next() == Self.half)
        flow.cancel()
        let exchange = try await recorded(fixture)
        #expect(exchange.failure?.kind == .cancelled)
        #expect(exchange.failure?.detail.contains("client left") == true)
    }

    @Test(arguments: [(3, nil), (4, 200)] as [(Int?, Int?)])
    func `leaving while the end is waited for depends on what had come`(length: Int?, status: Int?)
        async throws
    {
        // Of four bytes a length of three is another's mistake.
        let script = Script([Self.half])
        let (fixture, flow) = try await passing(script, length: length)
        #expect(await flow.next() == Self.half)
        async let last = flow.next()
        #expect(await eventually { script.isAsked })
        flow.cancel()
        #expect(await last == .aborted)
        #expect(try await recorded(fixture).status == status)
    }
}
