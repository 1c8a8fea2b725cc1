import Compression
import Core
import FoundationEssentials
import Synchronization
import Web

/// One proxied exchange, from the response's head to its end.
///
/// Both bodies are streamed; only a sample of each is retained for the record.
final class ProxyExchange: Sendable {
    /// The exchange id, assigned before the exchange ends.
    let id: String
    private let startedAt: Date
    private let proxyRequest: ProxyRequest
    /// As the app sent it, without faults.
    private let request: OutboundRequest
    private let requestSample = BodySampler(limit: ExchangeRecord.sampleLimit)
    private let exchange: InterceptingTransport.InterceptedExchange
    private let responseSample = BodySampler(limit: readableLimit)
    private let target: ProxyTarget
    private let recorder: Recorder
    private let state = Mutex(State())

    private struct State {
        var isFinished = false
        var readState = ReadState.idle
    }

    /// Whether the client waits for the next chunk of the body, or has disconnected.
    private enum ReadState { case idle, waiting, clientGone }

    /// The number of response bytes retained for reading a call from them.
    private static let readableLimit = 1 << 20

    /// The response's head, or the failure without a response.
    var response: StreamingResponse { exchange.faulted.response }

    /// Sends the rewritten request and waits for the head of its response.
    init(_ rewriter: ProxyRewriter, _ target: ProxyTarget, _ recorder: Recorder) async throws {
        self.target = target
        self.recorder = recorder
        proxyRequest = rewriter.proxyRequest
        request = rewriter.request
        let bodyStream = proxyRequest.request.bodyStream
        var context: ExchangeContext?
        if recorder.transport.needsContext {
            // Faults and rules are selected by the call that the request makes.
            var known = try await target.interpret(
                ObservedExchange(
                    request: request, isRequestComplete: bodyStream == nil, response: nil,
                    isResponseComplete: false)
            ).context
            known.baseURL = target.baseURL
            var secrets = SecretFields(names: recorder.secretNames(with: target.passwordFields))
            _ = secrets.read(request: request.body, request.headers["Content-Type"] ?? "")
            known.passwords += secrets.passwords
            known.tokens += secrets.tokens
            context = known
        }
        id = recorder.world.makeID("exc")
        startedAt = recorder.world.now()
        if bodyStream == nil { requestSample.add(request.body) }
        exchange = await recorder.transport.open(
            request, bodyStream.map(requestSample.sampling), as: context, exchange: id)
        if let response = exchange.faulted.response.result.response {
            responseSample.add(response.body)
        }
    }

    // MARK: Streaming

    /// The remaining response body; when it ends, the exchange is finished.
    ///
    /// The backend's response is recorded as complete if all of it was forwarded, however soon the
    /// client disconnected after that.
    func trackedBody(_ upstreamBody: BodyStream, length: Int?) -> BodyStream {
        let body = responseSample.sampling(upstreamBody)
        return BodyStream(
            length: length,
            next: { [self] in
                let isWanted = state.withLock { state in
                    guard state.readState == .idle else { return false }
                    state.readState = .waiting
                    return true
                }
                return isWanted ? await nextChunk(body, length) : .aborted
            },
            cancel: { [self] in
                let isIdle = state.withLock { state in
                    defer { state.readState = .clientGone }
                    return state.readState == .idle
                }
                body.cancel()
                // A pending `next` finishes the exchange itself.
                guard isIdle else { return }
                Task { _ = await nextChunk(body, length) }
            })
    }

    /// Reads the next chunk; after the last one, finishes the exchange.
    private func nextChunk(_ body: BodyStream, _ length: Int?) async -> BodyStream.Chunk {
        let chunk = await body.next()
        let hasLeft = state.withLock { state in
            defer { if state.readState == .waiting { state.readState = .idle } }
            return state.readState == .clientGone
        }
        switch chunk {
        case .bytes where !hasLeft: break
        case .bytes: await finishAfterDisconnect(isComplete: false)
        case .aborted where hasLeft:
            await finishAfterDisconnect(isComplete: responseSample.length == length)
        case .end, .aborted:
            let completion = response.completion()
            var timings = completion.timings
            timings.total += exchange.faulted.delay
            await finish(timings, failure: completion.failure)
        }
        return chunk
    }

    private func finishAfterDisconnect(isComplete: Bool) async {
        var timings = response.result.timings
        timings.total = recorder.world.now().timeIntervalSince(startedAt) * 1_000
        await finish(timings, failure: isComplete ? nil : .clientDisconnected)
    }

    // MARK: End

    /// Records the exchange once, then follows it. `failure` is why the response could not be
    /// forwarded completely.
    func finish(_ timings: Timings? = nil, failure: TransportFailure? = nil) async {
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
        guard isFirst else { return }
        var intercepted = exchange
        let original = Self.readableBody(requestSample.sample, encodedAs: request.headers)
        let isBodyEdited = exchange.effects?.edited(.pauseRequest).contains(.body) == true
        if !isBodyEdited { intercepted.faulted.request.body = original }
        intercepted.effects?.originalRequest?.body = original
        if let timings { intercepted.faulted.response.result.timings = timings }
        var observedResponse: UpstreamResponse?
        if let failure {
            intercepted.faulted.response.result.outcome = .failed(failure)
        } else if case .responded(var response) = intercepted.faulted.response.result.outcome {
            response.body = Self.readableBody(responseSample.sample, encodedAs: response.headers)
            intercepted.faulted.response.result.outcome = .responded(response)
            observedResponse = response
        }
        do {
            var request = request
            request.body = original
            let call = try await target.interpret(
                ObservedExchange(
                    request: request, isRequestComplete: requestSample.isComplete,
                    response: observedResponse, isResponseComplete: responseSample.isComplete))
            var context = call.context
            addSecrets(of: intercepted.faulted.request, observedResponse, to: &context)
            try await call.follow(
                await recorder.save(
                    id, intercepted, as: context, startedAt: startedAt,
                    lengths: (
                        isBodyEdited
                            ? intercepted.faulted.request.body.count : requestSample.length,
                        responseSample.length
                    )))
        } catch { recorder.world.log("proxy: could not analyze \(id): " + logMessage(for: error)) }
    }

    /// Adds the secrets that are found by their fields' names, whatever the app's manifest
    /// declares.
    private func addSecrets(
        of request: OutboundRequest, _ response: UpstreamResponse?,
        to context: inout ExchangeContext
    ) {
        var secrets = SecretFields(names: recorder.secretNames(with: target.passwordFields))
        secrets.read(proxyRequest.query)
        secrets.read(request.headers)
        context.bodyWithheldReason =
            requestSample.isComplete
            ? secrets.read(request: request.body, request.headers["Content-Type"] ?? "")
            : secrets.withholdReason(forPartOf: request.body)
        var responseSecrets = SecretFields(names: recorder.secretNames(with: []))
        if let response { responseSecrets.read(response) }
        context.passwords = secrets.passwords + context.passwords + responseSecrets.passwords
        context.tokens = secrets.tokens + context.tokens + responseSecrets.tokens
    }

    /// Decodes a body's content encoding, so that secrets can be found in it; a body that cannot be
    /// decoded is withheld.
    private static func readableBody(_ body: [UInt8], encodedAs headers: Headers) -> [UInt8] {
        guard !body.isEmpty, let coding = headers["Content-Encoding"]?.lowercased(),
            !coding.isEmpty, coding != "identity"
        else { return body }
        return Decompressor.decompress(body, coding: coding, limit: readableLimit)
            ?? Redaction.withheldBody("encoded as \(coding.prefix(40))")
    }
}

extension TransportFailure {
    fileprivate static let clientDisconnected = TransportFailure(
        .cancelled, "The client disconnected before the end of the response.")
}

/// Observes a body stream: retains its first bytes and counts the rest.
final class BodySampler: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var sample: [UInt8] = []
        var length = 0
    }

    /// Retains at most `limit` bytes.
    init(limit: Int) { self.limit = limit }

    var sample: [UInt8] { state.withLock { $0.sample } }

    /// The number of bytes observed.
    var length: Int { state.withLock { $0.length } }

    /// Whether the sample is the complete body observed so far.
    var isComplete: Bool { state.withLock { $0.length == $0.sample.count } }

    func add(_ bytes: [UInt8]) {
        state.withLock { state in
            state.length += bytes.count
            let room = limit - state.sample.count
            if state.sample.isEmpty, bytes.count <= room {
                state.sample = bytes
            } else if room > 0 {
                state.sample += bytes.prefix(room)
            }
        }
    }

    /// Returns the same body stream, observed as it is read.
    func sampling(_ bodyStream: BodyStream) -> BodyStream {
        BodyStream(
            length: bodyStream.length,
            next: { [self] in
                let chunk = await bodyStream.next()
                if case .bytes(let bytes) = chunk { add(bytes) }
                return chunk
            }, cancel: { bodyStream.cancel() })
    }
}
