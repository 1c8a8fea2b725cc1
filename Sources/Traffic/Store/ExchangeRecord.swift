import Crypto
import FoundationEssentials
import Web

/// A redacted exchange, ready to be stored. A class, because its many values would be copied on
/// their way through the queue.
final class ExchangeRecord: Sendable {
    /// `sequence` is assigned by the store.
    let detail: ExchangeDetail
    /// Unmasked tokens by index, to be sealed when stored.
    let tokens: [String]

    /// Stored bytes per body; the full length is stored as a number.
    static let bodyLimit = 64 << 10

    /// The number of body bytes to retain until the exchange is recorded: those beyond `bodyLimit`
    /// are searched too, so that no secret is cut there. As many as the longest token that an app
    /// extracts from a response.
    static let sampleLimit = bodyLimit + 64 << 10

    /// Its approximate size in memory.
    var memorySize: Int {
        detail.requestBody.storedLength + detail.responseBody.storedLength + 1_024 + detail
            .responseHeaders.fields.count * 64 + tokens.reduce(0) { $0 + $1.utf8.count }
    }

    /// `lengths` are the full body lengths of an exchange of which only samples are available.
    init(
        id: String, request: OutboundRequest, result: ExchangeResult, context: ExchangeContext,
        startedAt: Date, lengths: (request: Int, response: Int)? = nil,
        checks: [ExchangeCheck] = [], fault: String? = nil, effects: RuleEffects? = nil,
        makeRedaction: ([String], [String]) -> Redaction = Redaction.init
    ) {
        let response = result.response
        let secrets = context.tokens + (response.map(context.extractTokens) ?? [])
        let overflowReason =
            context.passwords.count + secrets.count > Redaction.maxSecrets
            ? "too many secrets" : nil
        var redaction = makeRedaction(context.passwords, secrets)
        let url = redaction.redact(request.url)
        let sentHeaders = result.sentHeaders.fields.isEmpty ? request.headers : result.sentHeaders
        let requestHeaders = redaction.redact(sentHeaders)
        let requestBody = redaction.redact(
            request.body, length: lengths?.request,
            withheldFor: overflowReason ?? context.bodyWithheldReason)
        let responseHeaders = redaction.redact(response?.headers ?? [:])
        let responseBody = redaction.redact(
            response?.body ?? [], length: lengths?.response, withheldFor: overflowReason)
        let checks = checks.map { check in
            var check = check
            check.evidence = redaction.redact(check.evidence)
            return check
        }
        let originals = effects.map { effects in
            (
                redaction.originalRequest(
                    effects, withheldFor: overflowReason ?? context.bodyWithheldReason),
                redaction.originalResponse(effects, withheldFor: overflowReason)
            )
        }
        tokens = redaction.tokens.map { String(decoding: $0, as: UTF8.self) }
        var exchange = Exchange(
            id: id, sequence: 0, workspace: context.workspace, app: context.app,
            device: context.device, backend: context.backend, call: context.call,
            cause: context.cause, causeEvent: context.causeEvent,
            causeExchange: context.causeExchange, attempt: context.attempt,
            method: request.method.rawValue, url: url, status: response?.status,
            failure: result.failure, startedAt: startedAt, timings: result.timings,
            requestBytes: requestBody.length, responseBytes: responseBody.length, fault: fault)
        if let effects { exchange.rules = effects.applied }
        var detail = ExchangeDetail(
            exchange: exchange, requestHeaders: requestHeaders, requestBody: requestBody,
            responseHeaders: responseHeaders, responseBody: responseBody,
            remoteAddress: result.remoteAddress, tokens: tokens.map(Token.masked), checks: checks)
        if let originals { (detail.originalRequest, detail.originalResponse) = originals }
        self.detail = detail
    }
}

extension Redaction {
    /// The edited parts of a request as they were before.
    fileprivate mutating func originalRequest(_ effects: RuleEffects, withheldFor reason: String?)
        -> ExchangeDetail.OriginalParts
    {
        var parts = ExchangeDetail.OriginalParts()
        guard let request = effects.originalRequest else { return parts }
        let edited = effects.edited(.pauseRequest)
        if edited.contains(.method) { parts.method = request.method.rawValue }
        if edited.contains(.path) { parts.url = redact(request.url) }
        if edited.contains(.headers) { parts.headers = redact(request.headers) }
        if edited.contains(.body) {
            parts.body = redact(request.body, length: nil, withheldFor: reason)
        }
        return parts
    }

    /// The edited parts of a response as they were before.
    fileprivate mutating func originalResponse(_ effects: RuleEffects, withheldFor reason: String?)
        -> ExchangeDetail.OriginalParts
    {
        var parts = ExchangeDetail.OriginalParts()
        guard let response = effects.originalResponse else { return parts }
        let edited = effects.edited(.pauseResponse)
        if edited.contains(.status) { parts.status = response.status }
        if edited.contains(.headers) { parts.headers = redact(response.headers) }
        if edited.contains(.body) {
            parts.body = redact(response.body, length: nil, withheldFor: reason)
        }
        return parts
    }

    /// A body as recorded; `length` is its full length if `body` is only a sample.
    fileprivate mutating func redact(_ body: [UInt8], length: Int?, withheldFor reason: String?)
        -> ExchangeDetail.RecordedBody
    {
        let stored = reason.map { body.isEmpty ? body : Self.withheldBody($0) } ?? body
        let sample =
            stored.count > ExchangeRecord.sampleLimit
            ? Array(stored.prefix(ExchangeRecord.sampleLimit)) : stored
        var bytes = redact(sample)
        if bytes.count > ExchangeRecord.bodyLimit {
            bytes.removeLast(bytes.count - ExchangeRecord.bodyLimit)
        }
        // A minimum is found faster than a byte: without an exit many are compared at a time.
        let isText = bytes.reduce(1, min) != 0
        let text = isText ? String(validating: bytes, as: UTF8.self) : nil
        return ExchangeDetail.RecordedBody(
            text: text, binary: text == nil ? bytes : [], length: length ?? body.count)
    }

    fileprivate mutating func redact(_ headers: Headers) -> Headers {
        Headers(
            headers.fields.map { .init(name: $0.name, value: redact(header: $0.name, $0.value)) })
    }
}
