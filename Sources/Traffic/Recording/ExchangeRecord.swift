import FoundationEssentials
import Secrets
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
    var bytes: Int {
        requestBody.count + responseBody.count + 1_024 + responseHeaders.fields.count * 64
            + tokens.reduce(0) { $0 + $1.utf8.count }
    }

    init(
        id: String, request: OutboundRequest, delivery: Delivery, context: ExchangeContext,
        startedAt: Date, lengths: Lengths? = nil, checks: [ExchangeCheck] = []
    ) {
        var answer: Answer?
        var failure: TransportFailure?
        switch delivery.outcome {
        case .answered(let got): answer = got
        case .failed(let why): failure = why
        }
        let secrets = context.tokens + (answer.map(context.tokensIn) ?? [])
        let flood =
            context.passwords.count + secrets.count > Redaction.mostSecrets
            ? "it holds more secrets than are told apart" : nil
        var redaction = Redaction(passwords: context.passwords, tokens: secrets)
        let url = redaction.clean(request.url)
        let sent = delivery.sentHeaders.fields.isEmpty ? request.headers : delivery.sentHeaders
        requestHeaders = Self.clean(sent, &redaction)
        requestBody = Self.clean(
            Self.kept(request.body, unless: flood ?? context.withheld), &redaction)
        responseHeaders = Self.clean(answer?.headers ?? [:], &redaction)
        responseBody = Self.clean(Self.kept(answer?.body ?? [], unless: flood), &redaction)
        remoteAddress = delivery.remoteAddress
        self.checks = checks.map { check in
            var check = check
            check.evidence = redaction.clean(check.evidence)
            return check
        }
        tokens = redaction.tokens.map { String(decoding: $0, as: UTF8.self) }
        exchange = Exchange(
            id: id, sequence: 0, workspace: context.workspace, app: context.app,
            device: context.device, backend: context.backend, call: context.call,
            cause: context.cause, causeEvent: context.causeEvent,
            causeExchange: context.causeExchange, attempt: context.attempt,
            method: request.method.rawValue, url: url, status: answer?.status, failure: failure,
            startedAt: startedAt, timings: delivery.timings,
            requestBytes: lengths?.request ?? request.body.count,
            responseBytes: lengths?.answer ?? answer?.body.count ?? 0, condition: nil)
    }

    private static func kept(_ body: [UInt8], unless why: String?) -> [UInt8] {
        guard let why, !body.isEmpty else { return body }
        return Redaction.withheld(why)
    }

    /// How long bodies were of which only the beginning is here.
    struct Lengths {
        var request: Int
        var answer: Int
    }

    /// So much of a body is worth keeping until it is recorded.
    static let beginning = bodyLimit + overlap

    private static func clean(_ body: [UInt8], _ redaction: inout Redaction) -> [UInt8] {
        let clean = redaction.clean(Array(body.prefix(bodyLimit + overlap)))
        return Array(clean.prefix(bodyLimit))
    }

    private static func clean(_ headers: Headers, _ redaction: inout Redaction) -> Headers {
        var cleaned = Headers()
        for field in headers.fields {
            cleaned.add(field.name, redaction.clean(header: field.name, field.value))
        }
        return cleaned
    }
}
