import Support
import Synchronization
import Testing
import Web

@testable import Traffic

/// What goes wrong on purpose with a body that flows.
@Suite(.timeLimit(.minutes(10))) struct FaultedStreamTests {
    /// A backend that takes an upload whole and answers piece by piece.
    private final class Backend: Sendable {
        private let state = Mutex((got: 0, left: 0, given: false))

        /// Bytes that came, and how often its answer was not wanted.
        var got: Int { state.withLock(\.got) }
        var left: Int { state.withLock(\.left) }

        func open(_ bodyStream: BodyStream?) async -> StreamingResponse {
            while case .bytes(let bytes)? = await bodyStream?.next() {
                state.withLock { $0.got += bytes.count }
            }
            let body = BodyStream(
                length: nil,
                next: { [self] in
                    let isFirst = state.withLock { state in
                        defer { state.given = true }
                        return !state.given
                    }
                    return isFirst ? .bytes(Array("done".utf8)) : .end
                }, cancel: { [self] in state.withLock { $0.left += 1 } })
            return StreamingResponse(
                ExchangeResult(
                    outcome: .responded(UpstreamResponse(status: 201)), timings: Timings(total: 2)),
                body: StreamingResponse.Body(
                    stream: body,
                    completion: { StreamingResponse.Completion(timings: Timings(total: 3)) })
            )
        }
    }

    private static func upload() -> BodyStream {
        let pieces = Mutex([BodyStream.Chunk.bytes(Array("four".utf8)), .end])
        return BodyStream(length: nil, next: { pieces.withLock { $0.removeFirst() } }, cancel: {})
    }

    /// What an upload comes to under a condition.
    private func sent(_ draft: Fault.Draft, to backend: Backend) async throws -> StreamingExchange {
        let fixture = try await FaultFixture(open: { _, bodyStream in await backend.open(bodyStream)
        })
        try await fixture.add(draft)
        return await fixture.recorder.open(
            OutboundRequest(method: .put, url: "http://127.0.0.1:7071/main/x/file"),
            bodyStream: Self.upload(), as: FaultFixture.context())
    }

    @Test(arguments: [
        (Fault.Draft(.offline, phase: .after), TransportFailure.Kind.connection),
        (Fault.Draft(.reset, phase: .after), .connection),
        (Fault.Draft(.timeout, phase: .after, delay: 5), .timeout),
    ]) func `after the backend's work the answer is lost`(
        draft: Fault.Draft, failure: TransportFailure.Kind
    ) async throws {
        let backend = Backend()
        let relay = try await sent(draft, to: backend)
        #expect(relay.response.result.outcome.failure == failure)
        #expect(relay.response.body == nil)
        #expect(backend.got == 4)
        #expect(backend.left == 1)
        #expect(relay.faultLabel == "\(draft.displayName) after 201, no. 1")
    }

    @Test func `another answer takes its place and says so`() async throws {
        let backend = Backend()
        let relay = try await sent(
            .init(.status, times: 1, phase: .after, status: 503), to: backend)
        let response = try #require(relay.response.result.outcome.answer)
        #expect(response.status == 503)
        #expect(response.headers["Foyer-Condition"] == "status 503 after 201, 1 of 1")
        #expect(relay.response.body == nil && backend.got == 4)
    }

    @Test func `one that is late comes whole`() async throws {
        let backend = Backend()
        let relay = try await sent(.init(.slow, phase: .after, delay: 3), to: backend)
        #expect(relay.response.result.timings.total == 3_002)
        #expect(await relay.response.body?.stream.next() == .bytes(Array("done".utf8)))
        #expect(backend.left == 0)
        #expect(relay.faultLabel == "slow, no. 1")
        // Its record tells the whole time, with the body's end.
        let ending = relay.response.body?.completion()
        #expect(relay.result(ending).timings.total == 3_003)
    }

    @Test func `one that leaves late is recorded with its wait`() async throws {
        let relay = try await sent(.init(.slow, delay: 3), to: Backend())
        let ending = relay.response.body?.completion()
        #expect(relay.result(ending).timings.total == 3_003)
        #expect(relay.faultLabel == "slow, no. 1")
    }

    @Test func `before it nothing is taken of the upload`() async throws {
        let backend = Backend()
        let relay = try await sent(.init(.offline), to: backend)
        #expect(relay.response.result.outcome.failure == .nameLookup)
        #expect(backend.got == 0)
        #expect(relay.faultLabel == "offline, no. 1")
    }
}
