import Crypto
import FoundationEssentials
import Web

/// A redacted exchange, ready to be stored.
struct ExchangeRecord: Sendable {
    /// `sequence` is assigned by the store.
    var exchange: Exchange
    var requestHeaders: Headers
    var requestBody: [UInt8]
    var responseHeaders: Headers
    var responseBody: [UInt8]
    var remoteAddress: String?
    /// Unmasked tokens by index, to be sealed when stored.
    var tokens: [String]
    /// The embedded backend's checks, if it rejected the request.
    var checks: [ExchangeCheck]

    /// Stored bytes per body; the full length is stored as a number.
    static let bodyLimit = 64 << 10

    /// Bytes searched for secrets beyond `bodyLimit`, so that no secret is cut at the limit.
    ///
    /// As long as the longest token an app extracts from a response.
    private static let overlap = 64 << 10

    /// Its approximate size in memory.
    var memorySize: Int {
        requestBody.count + responseBody.count + 1_024 + responseHeaders.fields.count * 64
            + tokens.reduce(0) { $0 + $1.utf8.count }
    }

    init(
        id: String, request: OutboundRequest, result: ExchangeResult,
        exchangeContext: ExchangeContext, startedAt: Date, lengths: BodyLengths? = nil,
        checks: [ExchangeCheck] = []
    ) {
        var response: UpstreamResponse?
        var failure: TransportFailure?
        switch result.outcome {
        case .responded(let upstreamResponse): response = upstreamResponse
        case .failed(let transportFailure): failure = transportFailure
        }
        let secrets = exchangeContext.tokens + (response.map(exchangeContext.extractTokens) ?? [])
        let overflowReason =
            exchangeContext.passwords.count + secrets.count > Redaction.maxSecrets
            ? "too many secrets" : nil
        var redaction = Redaction(passwords: exchangeContext.passwords, tokens: secrets)
        let url = redaction.redact(request.url)
        let sentHeaders = result.sentHeaders.fields.isEmpty ? request.headers : result.sentHeaders
        requestHeaders = Self.redact(sentHeaders, &redaction)
        requestBody = Self.redact(
            Self.storableBody(
                request.body, unless: overflowReason ?? exchangeContext.bodyWithheldReason),
            &redaction)
        responseHeaders = Self.redact(response?.headers ?? [:], &redaction)
        responseBody = Self.redact(
            Self.storableBody(response?.body ?? [], unless: overflowReason), &redaction)
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
            call: exchangeContext.call, cause: exchangeContext.cause,
            causeEvent: exchangeContext.causeEvent, causeExchange: exchangeContext.causeExchange,
            attempt: exchangeContext.attempt, method: request.method.rawValue, url: url,
            status: response?.status, failure: failure, startedAt: startedAt,
            timings: result.timings, requestBytes: lengths?.request ?? request.body.count,
            responseBytes: lengths?.response ?? response?.body.count ?? 0, fault: nil)
    }

    private static func storableBody(_ body: [UInt8], unless reason: String?) -> [UInt8] {
        guard let reason, !body.isEmpty else { return body }
        return Redaction.withheldBody(reason)
    }

    /// The full body lengths of an exchange of which only samples are available.
    struct BodyLengths {
        var request: Int
        var response: Int
    }

    /// The number of body bytes to retain until the exchange is recorded.
    static let sampleLimit = bodyLimit + overlap

    private static func redact(_ body: [UInt8], _ redaction: inout Redaction) -> [UInt8] {
        let redacted = redaction.redact(Array(body.prefix(bodyLimit + overlap)))
        return Array(redacted.prefix(bodyLimit))
    }

    private static func redact(_ headers: Headers, _ redaction: inout Redaction) -> Headers {
        var redacted = Headers()
        for field in headers.fields {
            redacted.add(field.name, redaction.redact(header: field.name, field.value))
        }
        return redacted
    }
}
