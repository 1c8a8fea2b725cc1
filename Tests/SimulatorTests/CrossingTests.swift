import Support
import Synchronization
import Testing
import Traffic
import Web

@testable import Simulator

/// How an answer that passes through is recorded when its client leaves.
@Suite struct CrossingTests {
    /// A body of these pieces; then it waits, until nobody wants it any more.
    private final class Script: Sendable {
        private let state: Mutex<State>

        private struct State {
            var pieces: [Inflow.Piece]
            var isLeft = false
            var taker: CheckedContinuation<Inflow.Piece, Never>?
        }

        init(_ pieces: [Inflow.Piece]) {
            state = Mutex(State(pieces: pieces))
        }

        var isAsked: Bool { state.withLock { $0.taker != nil } }

        var rest: Opened.Rest {
            Opened.Rest(
                body: Inflow(
                    length: nil, next: { [self] in await next() },
                    cancel: { [self] in leave() }),
                ending: { [self] in
                    Opened.Ending(
                        timings: Timings(total: 2),
                        failure: state.withLock(\.isLeft)
                            ? TransportFailure(kind: .cancelled, detail: "")
                            : nil)
                })
        }

        private func next() async -> Inflow.Piece {
            await withCheckedContinuation { taker in
                let piece: Inflow.Piece? = state.withLock { state in
                    if !state.pieces.isEmpty {
                        return state.pieces.removeFirst()
                    }
                    if state.isLeft { return .broken }
                    state.taker = taker
                    return nil
                }
                if let piece { taker.resume(returning: piece) }
            }
        }

        private func leave() {
            let taker = state.withLock { state in
                // What came to its end before has ended well.
                if state.pieces.first != .end { state.isLeft = true }
                defer { state.taker = nil }
                return state.taker
            }
            taker?.resume(returning: .broken)
        }
    }

    /// The body of an answer on its way to its client.
    private func passing(
        _ script: Script, length: Int?
    ) async throws -> (house: SimulatorHouse, flow: Inflow) {
        var headers: Headers = ["Content-Type": "application/json"]
        if let length { headers["Content-Length"] = "\(length)" }
        let opened = Opened(
            Delivery(
                outcome: .answered(Answer(status: 200, headers: headers))),
            rest: script.rest)
        let house = try await SimulatorHouse(
            transport: Transport(
                send: { _ in opened.delivery }, open: { _, _ in opened }))
        let response = try await house.simulator.pass(
            Passage(
                workspace: "main", app: "mystica", device: nil,
                request: Request(method: .get, target: "/x"), rest: "/x",
                root: "http://127.0.0.1:7070/through/main/mystica"))
        guard case .flow(let flow) = response.body else {
            throw Problem(
                status: 500, code: "no-flow", title: "", detail: "")
        }
        return (house, flow)
    }

    /// The one exchange, once it is recorded.
    private func recorded(_ house: SimulatorHouse) async throws -> Exchange {
        let query = ExchangeQuery(workspace: "main")
        _ = try await eventually {
            try await house.exchanges.list(query).total == 1
        }
        return try #require(
            try await house.exchanges.list(query).items.first)
    }

    private static let half = Inflow.Piece.bytes(Array(#"{"a""#.utf8))
    private static let rest = Inflow.Piece.bytes(Array(":1}".utf8))

    @Test(arguments: [
        ([half, rest], 7), ([half, rest, .end], 7), ([half, rest, .end], nil),
    ] as [([Inflow.Piece], Int?)])
    func `an answer that came whole is recorded as whole`(
        pieces: [Inflow.Piece], length: Int?
    ) async throws {
        let (house, flow) = try await passing(Script(pieces), length: length)
        #expect(await flow.next() == Self.half)
        #expect(await flow.next() == Self.rest)
        flow.cancel()
        flow.cancel()
        let exchange = try await recorded(house)
        #expect(exchange.status == 200)
        #expect(exchange.failure == nil)
        #expect(exchange.responseBytes == 7)
        #expect(await flow.next() == .broken)
    }

    @Test(arguments: [
        ([half, rest], 7), ([half, rest, .end], 7), ([half, rest, .end], nil),
        ([half], nil),
    ] as [([Inflow.Piece], Int?)])
    func `a client that left in the middle is told of`(
        pieces: [Inflow.Piece], length: Int?
    ) async throws {
        let (house, flow) = try await passing(Script(pieces), length: length)
        #expect(await flow.next() == Self.half)
        flow.cancel()
        let exchange = try await recorded(house)
        #expect(exchange.failure?.kind == .cancelled)
        #expect(exchange.failure?.detail.contains("client left") == true)
    }

    @Test(arguments: [(3, nil), (4, 200)] as [(Int?, Int?)])
    func `leaving while the end is waited for depends on what had come`(
        length: Int?, status: Int?
    ) async throws {
        // Of four bytes a length of three is another's mistake.
        let script = Script([Self.half])
        let (house, flow) = try await passing(script, length: length)
        #expect(await flow.next() == Self.half)
        async let last = flow.next()
        #expect(await eventually { script.isAsked })
        flow.cancel()
        #expect(await last == .broken)
        #expect(try await recorded(house).status == status)
    }
}
