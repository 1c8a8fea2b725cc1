import Support
import Synchronization
import Testing
import Web

@testable import Traffic

/// What goes wrong on purpose with a body that flows.
@Suite(.timeLimit(.minutes(10))) struct TroubledStreamTests {
    /// A backend that takes an upload whole and answers piece by piece.
    private final class Backend: Sendable {
        private let state = Mutex((got: 0, left: 0, given: false))

        /// Bytes that came, and how often its answer was not wanted.
        var got: Int { state.withLock(\.got) }
        var left: Int { state.withLock(\.left) }

        func open(_ upload: Inflow?) async -> Opened {
            while case .bytes(let bytes)? = await upload?.next() {
                state.withLock { $0.got += bytes.count }
            }
            let body = Inflow(
                length: nil,
                next: { [self] in
                    let isFirst = state.withLock { state in
                        defer { state.given = true }
                        return !state.given
                    }
                    return isFirst ? .bytes(Array("done".utf8)) : .end
                }, cancel: { [self] in state.withLock { $0.left += 1 } })
            return Opened(
                Delivery(outcome: .answered(Answer(status: 201)), timings: Timings(total: 2)),
                rest: Opened.Rest(body: body, ending: { Opened.Ending(timings: Timings(total: 3)) })
            )
        }
    }

    private static func upload() -> Inflow {
        let pieces = Mutex([Inflow.Piece.bytes(Array("four".utf8)), .end])
        return Inflow(length: nil, next: { pieces.withLock { $0.removeFirst() } }, cancel: {})
    }

    /// What an upload comes to under a condition.
    private func sent(_ draft: Condition.Draft, to backend: Backend) async throws -> Relay {
        let house = try await TroubleHouse(open: { _, upload in await backend.open(upload) })
        try await house.add(draft)
        return await house.recorder.open(
            OutboundRequest(method: .put, url: "http://127.0.0.1:7071/main/x/file"),
            upload: Self.upload(), as: TroubleHouse.context())
    }

    @Test(arguments: [
        (Condition.Draft(.offline, phase: .after), TransportFailure.Kind.connection),
        (Condition.Draft(.reset, phase: .after), .connection),
        (Condition.Draft(.timeout, phase: .after, delay: 5), .timeout),
    ]) func `after the backend's work the answer is lost`(
        draft: Condition.Draft, failure: TransportFailure.Kind
    ) async throws {
        let backend = Backend()
        let relay = try await sent(draft, to: backend)
        #expect(relay.opened.delivery.outcome.failure == failure)
        #expect(relay.opened.rest == nil)
        #expect(backend.got == 4)
        #expect(backend.left == 1)
        #expect(relay.stamp == "\(draft.word) after 201, no. 1")
    }

    @Test func `another answer takes its place and says so`() async throws {
        let backend = Backend()
        let relay = try await sent(
            .init(.status, times: 1, phase: .after, status: 503), to: backend)
        let answer = try #require(relay.opened.delivery.outcome.answer)
        #expect(answer.status == 503)
        #expect(answer.headers["Foyer-Condition"] == "status 503 after 201, 1 of 1")
        #expect(relay.opened.rest == nil && backend.got == 4)
    }

    @Test func `one that is late comes whole`() async throws {
        let backend = Backend()
        let relay = try await sent(.init(.slow, phase: .after, delay: 3), to: backend)
        #expect(relay.opened.delivery.timings.total == 3_002)
        #expect(await relay.opened.rest?.body.next() == .bytes(Array("done".utf8)))
        #expect(backend.left == 0)
        #expect(relay.stamp == "slow, no. 1")
        // Its record tells the whole time, with the body's end.
        let ending = relay.opened.rest?.ending()
        #expect(relay.delivery(ending).timings.total == 3_003)
    }

    @Test func `one that leaves late is recorded with its wait`() async throws {
        let relay = try await sent(.init(.slow, delay: 3), to: Backend())
        let ending = relay.opened.rest?.ending()
        #expect(relay.delivery(ending).timings.total == 3_003)
        #expect(relay.stamp == "slow, no. 1")
    }

    @Test func `before it nothing is taken of the upload`() async throws {
        let backend = Backend()
        let relay = try await sent(.init(.offline), to: backend)
        #expect(relay.opened.delivery.outcome.failure == .nameLookup)
        #expect(backend.got == 0)
        #expect(relay.stamp == "offline, no. 1")
    }
}
