import Apps
import Core
import FoundationEssentials
import Synchronization
import Traffic
import Web

/// One proxied exchange, from the response header to its end.
final class ProxyExchange: Sendable {
    private let proxyRequest: ProxyRequest
    private let instance: AppInstance
    private let app: App
    private let matcher: CallMatcher
    private let exchange: StreamingExchange
    private let runner: Runner
    private let isFinished = Mutex(false)
    private let readState = Mutex(ReadState.idle)

    /// Whether the client waits for the next chunk of the body, or has disconnected.
    private enum ReadState { case idle, waiting, clientGone }

    init(
        proxyRequest: ProxyRequest, instance: AppInstance, app: App, matcher: CallMatcher,
        exchange: StreamingExchange, runner: Runner
    ) {
        self.proxyRequest = proxyRequest
        self.instance = instance
        self.app = app
        self.matcher = matcher
        self.exchange = exchange
        self.runner = runner
    }

    /// The remaining response body; when it ends, the exchange is finished.
    ///
    /// The backend's response is recorded as complete if all of it was forwarded, however soon the
    /// client disconnected after that.
    func trackedBody(_ upstreamBody: StreamingResponse.Body, length: Int?) -> BodyStream {
        let body = exchange.responseSample.sampling(upstreamBody.stream)
        return BodyStream(
            length: length,
            next: { [self] in
                let isWanted = readState.withLock { state in
                    guard state == .idle else { return false }
                    state = .waiting
                    return true
                }
                guard isWanted else { return .aborted }
                return await nextChunk(body, upstreamBody, length)
            },
            cancel: { [self] in
                let isIdle = readState.withLock { state in
                    defer { state = .clientGone }
                    return state == .idle
                }
                body.cancel()
                // A pending `next` finishes the exchange itself.
                guard isIdle else { return }
                Task { _ = await nextChunk(body, upstreamBody, length) }
            })
    }

    /// Reads the next chunk; after the last one, finishes the exchange.
    private func nextChunk(
        _ body: BodyStream, _ upstreamBody: StreamingResponse.Body, _ length: Int?
    ) async
        -> BodyStream.Chunk
    {
        let chunk = await body.next()
        let hasLeft = readState.withLock { state in
            defer { if state == .waiting { state = .idle } }
            return state == .clientGone
        }
        switch chunk {
        case .end: await finish(upstreamBody.completion())
        case .aborted where !hasLeft: await finish(upstreamBody.completion())
        case .aborted:
            await finish(clientGoneEnding(isComplete: exchange.responseSample.length == length))
        case .bytes where hasLeft: await finish(clientGoneEnding(isComplete: false))
        case .bytes: break
        }
        return chunk
    }

    private func clientGoneEnding(isComplete: Bool) -> StreamingResponse.Completion {
        var timings = exchange.response.result.timings
        timings.total = runner.world.now().timeIntervalSince(exchange.startedAt) * 1_000
        return StreamingResponse.Completion(
            timings: timings,
            failure: isComplete
                ? nil
                : TransportFailure(
                    kind: .cancelled,
                    detail: "The client disconnected before the end of the response."))
    }

    /// Records the exchange once, then applies its effects to the device as the simulated app
    /// would.
    func finish(_ completion: StreamingResponse.Completion?) async {
        let isFirst = isFinished.withLock { finished in
            defer { finished = true }
            return !finished
        }
        guard isFirst else { return }
        do { try await recordAndApply(completion) } catch is DeviceStateStore.AppTerminated {
            // The simulated app was terminated in the meantime, so the exchange has no effect on
            // it.
        } catch {
            runner.world.log(
                "proxy: could not analyze \(exchange.id): " + logMessage(for: error))
        }
    }

    private func recordAndApply(_ completion: StreamingResponse.Completion?) async throws {
        let context = try await runner.context(instance, app)
        let result = exchange.result(completion)
        var response: UpstreamResponse?
        if case .responded(let upstreamResponse) = result.outcome { response = upstreamResponse }
        let analysis = CallAnalysis(
            exchange.recordedRequest, isComplete: exchange.requestSample.isComplete, proxyRequest,
            response, context, matcher)
        let recorded = await runner.recorder.finish(
            exchange, exchange.recordedRequest, result, as: analysis.context(instance, context))
        // If a fault replaced a token, the call is matched by the original request, whose token the
        // app still holds.
        let matchedCall =
            exchange.originalRequest.map {
                CallAnalysis($0, isComplete: true, proxyRequest, response, context, matcher)
                    .matchedCall
            }
            ?? analysis.matchedCall
        guard let matchedCall else { return }
        var run = ActionRun(
            instance: instance, app: app, launchID: context.transient.launchID, initiator: .proxied,
            startEvent: recorded.eventID)
        run.lastExchange = recorded.id
        run.lastEvent = recorded.eventID
        run.fields = analysis.fields(of: app)
        run.passwords = analysis.passwords
        let runner = runner
        let finalRun = run
        try await runner.stateStore.withRetainedState(instance) {
            try await runner.follow(
                matchedCall, exchange.responseSample.isComplete ? response : nil, recorded, finalRun
            )
        }
    }

    /// Finishes the exchange with a failure and returns a problem response from Foyer instead.
    func reject(_ failure: TransportFailure) async -> Response {
        exchange.response.body?.stream.cancel()
        await finish(
            StreamingResponse.Completion(
                timings: exchange.response.result.timings, failure: failure))
        return Self.response(to: failure, exchange: exchange.id)
    }

    /// The response to the client if the backend gave none: a problem marked as Foyer's.
    var failureResponse: Response {
        guard case .failed(let failure) = exchange.response.result.outcome else {
            return Response(status: 502)
        }
        return Self.response(to: failure, exchange: exchange.id)
    }

    private static func response(to failure: TransportFailure, exchange: String) -> Response {
        let isTimeout = failure.kind == .timeout
        return Problem(
            status: isTimeout ? 504 : 502, code: "no-response",
            title: isTimeout
                ? "The backend timed out"
                : failure.kind == .invalidResponse
                    ? "The backend's response cannot be forwarded"
                    : "The backend could not be reached",
            detail: "\(failure.detail) This response is from Foyer, not from the backend.",
            headers: ["X-Foyer-Error": failure.kind.rawValue, "X-Foyer-Exchange": exchange]
        ).response
    }
}
