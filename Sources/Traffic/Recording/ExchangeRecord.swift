import Crypto
import FoundationEssentials
import Web

/// An exchange as it waits to be stored, its secrets already out.
struct ExchangeRecord: Sendable {
    /// The sequence is the store's to give.
    var exchange: Exchange
    var requestHeaders: Headers
    var requestBody: [UInt8]
    var responseHeaders: Headers
    var responseBody: [UInt8]
    var remoteAddress: String?
    /// Whole tokens by number, to be sealed as they are stored.
    var tokens: [String]
    /// What the backend checked, if it is ours and refused.
    var checks: [ExchangeCheck]

    /// A body is kept up to here; its whole length is noted.
    static let bodyLimit = 64 << 10

    /// Secrets are looked for this much further, so that none is cut in two.
    ///
    /// As far as the longest token an app takes from an answer.
    private static let overlap = 64 << 10

    /// Roughly the memory it takes.
    var memorySize: Int {
        requestBody.count + responseBody.count + 1_024 + responseHeaders.fields.count * 64
            + tokens.reduce(0) { $0 + $1.utf8.count }
    }

    init(
        id: String, request: OutboundRequest, result: ExchangeResult,
        exchangeContext: ExchangeContext,
        startedAt: Date, lengths: BodyLengths? = nil, checks: [ExchangeCheck] = []
    ) {
        var response: UpstreamResponse?
        var failure: TransportFailure?
        switch result.outcome {
        case .responded(let got): response = got
        case .failed(let why): failure = why
        }
        let secrets = exchangeContext.tokens + (response.map(exchangeContext.extractTokens) ?? [])
        let flood =
            exchangeContext.passwords.count + secrets.count > Redaction.maxSecrets
            ? "it holds more secrets than are told apart" : nil
        var redaction = Redaction(passwords: exchangeContext.passwords, tokens: secrets)
        let url = redaction.redact(request.url)
        let sent = result.sentHeaders.fields.isEmpty ? request.headers : result.sentHeaders
        requestHeaders = Self.redact(sent, &redaction)
        requestBody = Self.redact(
            Self.storableBody(request.body, unless: flood ?? exchangeContext.bodyWithheldReason),
            &redaction)
        responseHeaders = Self.redact(response?.headers ?? [:], &redaction)
        responseBody = Self.redact(
            Self.storableBody(response?.body ?? [], unless: flood), &redaction)
        remoteAddress = result.remoteAddress
        self.checks = checks.map { check in
            var check = check
            check.evidence = redaction.redact(check.evidence)
            return check
        }
        tokens = redaction.tokens.map { String(decoding: $0, as: UTF8.self) }
        exchange = Exchange(
            id: id, sequence: 0, workspace: exchangeContext.workspace, app: exchangeContext.app,
            device: exchangeContext.device, backend: exchangeContext.backend,
            call: exchangeContext.call,
            cause: exchangeContext.cause, causeEvent: exchangeContext.causeEvent,
            causeExchange: exchangeContext.causeExchange, attempt: exchangeContext.attempt,
            method: request.method.rawValue, url: url, status: response?.status, failure: failure,
            startedAt: startedAt, timings: result.timings,
            requestBytes: lengths?.request ?? request.body.count,
            responseBytes: lengths?.response ?? response?.body.count ?? 0, fault: nil)
    }

    private static func storableBody(_ body: [UInt8], unless reason: String?) -> [UInt8] {
        guard let reason, !body.isEmpty else { return body }
        return Redaction.withheldBody(reason)
    }

    /// How long bodies were of which only the beginning is here.
    struct BodyLengths {
        var request: Int
        var response: Int
    }

    /// So much of a body is worth keeping until it is recorded.
    static let sampleLimit = bodyLimit + overlap

    private static func redact(_ body: [UInt8], _ redaction: inout Redaction) -> [UInt8] {
        let clean = redaction.redact(Array(body.prefix(bodyLimit + overlap)))
        return Array(clean.prefix(bodyLimit))
    }

    private static func redact(_ headers: Headers, _ redaction: inout Redaction) -> Headers {
        var cleaned = Headers()
        for field in headers.fields {
            cleaned.add(field.name, redaction.redact(header: field.name, field.value))
        }
        return cleaned
    }
}
