import Apps
import Core
import FoundationEssentials
import Synchronization
import Traffic
import Web

/// One exchange of a real app's, from its answer's head to its end.
final class ProxyExchange: Sendable {
    private let proxyRequest: ProxyRequest
    private let instance: AppInstance
    private let app: App
    private let matcher: CallMatcher
    private let exchange: StreamingExchange
    private let runner: Runner
    private let isFinished = Mutex(false)
    private let readState = Mutex(ReadState.idle)

    /// Whether somebody waits for the next piece of the body, or nobody wants
    /// one any more.
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

    /// The rest of the answer's body; its end is this exchange's.
    ///
    /// What is recorded is the backend's answer: it is whole if all of it was
    /// handed on, however soon the client left after that.
    func trackedBody(_ rest: StreamingResponse.Body, length: Int?) -> BodyStream {
        let body = exchange.responseSample.sampling(rest.stream)
        return BodyStream(
            length: length,
            next: { [self] in
                let isWanted = readState.withLock { reading in
                    guard reading == .idle else { return false }
                    reading = .waiting
                    return true
                }
                guard isWanted else { return .aborted }
                return await nextChunk(body, rest, length)
            },
            cancel: { [self] in
                let isIdle = readState.withLock { reading in
                    defer { reading = .clientGone }
                    return reading == .idle
                }
                body.cancel()
                // Who waits finds out by itself how it ended.
                guard isIdle else { return }
                Task { _ = await nextChunk(body, rest, length) }
            })
    }

    /// The next piece; ends the exchange with the last.
    private func nextChunk(_ body: BodyStream, _ rest: StreamingResponse.Body, _ length: Int?) async
        -> BodyStream.Chunk
    {
        let chunk = await body.next()
        let hasLeft = readState.withLock { reading in
            defer { if reading == .waiting { reading = .idle } }
            return reading == .clientGone
        }
        switch chunk {
        case .end: await finish(rest.completion())
        case .aborted where !hasLeft: await finish(rest.completion())
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
                    kind: .cancelled, detail: "The client left before the answer's end."))
    }

    /// Records it, then does to the device what its app would have done; once.
    func finish(_ ending: StreamingResponse.Completion?) async {
        let isFirst = isFinished.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        do { try await recordAndApply(ending) } catch is DeviceStateStore.AppTerminated {
            // The simulated app was killed meanwhile: it heard nothing.
        } catch {
            runner.world.log(
                "through: \(exchange.id) could not be followed: " + logMessage(for: error))
        }
    }

    private func recordAndApply(_ ending: StreamingResponse.Completion?) async throws {
        let context = try await runner.context(instance, app)
        let result = exchange.result(ending)
        var response: UpstreamResponse?
        if case .responded(let got) = result.outcome { response = got }
        let finding = CallAnalysis(
            exchange.recordedRequest, isComplete: exchange.requestSample.isComplete, proxyRequest,
            response, context, matcher)
        let sent = await runner.recorder.finish(
            exchange, exchange.recordedRequest, result, as: finding.context(instance, context))
        // What a token was put in the place of is still what the app holds.
        let known =
            exchange.originalRequest.map {
                CallAnalysis($0, isComplete: true, proxyRequest, response, context, matcher)
                    .matchedCall
            }
            ?? finding.matchedCall
        guard let known else { return }
        var run = ActionRun(
            instance: instance, app: app, launchID: context.transient.launchID, initiator: .proxied,
            startEvent: sent.eventID)
        run.lastExchange = sent.id
        run.lastEvent = sent.eventID
        run.fields = finding.fields(of: app)
        run.passwords = finding.passwords
        let runner = runner
        let heard = run
        try await runner.stateStore.withRetainedState(instance) {
            try await runner.follow(
                known, exchange.responseSample.isComplete ? response : nil, sent, heard)
        }
    }

    /// Ends it without its answer, and says so in one of ours.
    func reject(_ why: TransportFailure) async -> Response {
        exchange.response.body?.stream.cancel()
        await finish(
            StreamingResponse.Completion(timings: exchange.response.result.timings, failure: why))
        return Self.response(to: why, exchange: exchange.id)
    }

    /// What the client reads when there is no answer: ours, and it says so.
    var failureResponse: Response {
        guard case .failed(let why) = exchange.response.result.outcome else {
            return Response(status: 502)
        }
        return Self.response(to: why, exchange: exchange.id)
    }

    private static func response(to why: TransportFailure, exchange: String) -> Response {
        let isLate = why.kind == .timeout
        return Problem(
            status: isLate ? 504 : 502, code: "no-answer",
            title: isLate
                ? "The backend did not answer in time"
                : why.kind == .invalidResponse
                    ? "The backend's answer cannot be handed on" : "The backend could not be asked",
            detail: "\(why.detail) This is Foyer's answer, not the backend's.",
            headers: ["X-Foyer-Error": why.kind.rawValue, "X-Foyer-Exchange": exchange]
        ).response
    }
}
