import Apps
import Backend
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Infers the checks of a server that does not report them, from its response and the request.
struct InferredChecks {
    let signatureVerifier: SignatureVerifier
    let detail: ExchangeDetail
    /// Nil if the call carried none, or if it cannot be read.
    let bearerToken: String?

    private var exchange: Exchange { detail.exchange }

    /// In system time: the workspace clock may have changed since, and only Foyer's own clock can
    /// be moved.
    private var sentAt: Date { exchange.startedAt }

    func list(_ status: Int) -> [ExchangeCheck] {
        let response = UpstreamResponse(
            status: status, headers: detail.responseHeaders, body: detail.responseBody.bytes)
        let interpreted = call?.interpret(response)
        let message = errorMessage(interpreted, response)
        var checks = [
            makeCheck(
                .route, status != 404 && status != 405, message, call == nil ? "" : exchange.call),
            makeCheck(.rateLimit, status != 429, retryAfter ?? message),
        ]
        let isReadable = status != 413 && status != 415
        if exchange.requestBytes > 0 || !isReadable {
            checks.append(makeCheck(.body, isReadable, message, contentType))
        }
        checks += tokenChecks(status) + [statusCheck(status, message)]
        if let row = failureRule(interpreted) {
            checks.append(
                ExchangeCheck(
                    name: "manifest", title: "Failure rule of the manifest", state: .passed,
                    evidence: row))
        }
        return skippingAfterFailure(checks)
    }

    // MARK: Parts

    /// `isPassed` is nil if it cannot be known.
    private func makeCheck(
        _ check: RequestCheck, _ isPassed: Bool?, _ failedEvidence: String,
        _ passedEvidence: String = ""
    ) -> ExchangeCheck {
        ExchangeCheck(
            name: check.rawValue, title: check.texts.title,
            state: isPassed.map { $0 ? .passed : .failed } ?? .unknown,
            evidence: isPassed == true ? passedEvidence : failedEvidence)
    }

    private func tokenChecks(_ status: Int) -> [ExchangeCheck] {
        let isMissing = bearerToken == nil
        guard !isMissing || call?.request.bearerName != nil || status == 401 && !carriesCredentials
        else { return [] }
        var checks = [makeCheck(.authorizationHeader, !isMissing, "missing", "Bearer")]
        guard let bearerToken else { return checks }
        let summary = Session.TokenSummary(decoding: bearerToken, at: sentAt)
        checks.append(
            makeCheck(
                .jwt, summary.isJWT ? true : nil, "opaque", "3 parts, \(summary.byteCount) B"))
        guard summary.isJWT else { return checks }
        checks.append(signatureCheck(bearerToken, summary))
        if let expiresAt = summary.expiresAt {
            let duration = Format.duration(abs(sentAt.timeIntervalSince(expiresAt)))
            checks.append(
                makeCheck(
                    .expiry, expiresAt > sentAt, "expired \(duration) before this request",
                    "\(duration) left"))
        }
        return checks
    }

    private func signatureCheck(_ token: String, _ summary: Session.TokenSummary) -> ExchangeCheck {
        let verdict = signatureVerifier.verdict(on: token, summary, of: exchange)
        let (isPassed, evidence): (Bool?, String) =
            switch verdict.status {
            case .verified: (true, "key \(verdict.keyID ?? "")")
            case .invalid: (false, verdict.reason)
            default: (nil, "no key for this backend")
            }
        return makeCheck(.signature, isPassed, evidence, evidence)
    }

    /// What the status alone implies, if no earlier check failed.
    private func statusCheck(_ status: Int, _ message: String) -> ExchangeCheck {
        switch status {
        case 401, 403:
            makeCheck(carriesCredentials ? .credentials : .token, false, message)
        case 409: makeCheck(.state, false, message)
        default: makeCheck(.fields, false, message)
        }
    }

    /// The first failure counts; later checks are marked as skipped.
    private func skippingAfterFailure(_ checks: [ExchangeCheck]) -> [ExchangeCheck] {
        var hasFailed = false
        return checks.map { check in
            guard hasFailed, check.name != "manifest" else {
                hasFailed = check.state == .failed || hasFailed
                return check
            }
            var check = check
            check.state = .skipped
            check.evidence = ""
            return check
        }
    }

    // MARK: Manifest

    private var call: Call? {
        signatureVerifier.catalog.app(exchange.app)?.call(exchange.call, backend: exchange.backend)
    }

    /// Whether the request contained credentials for the server to check.
    private var carriesCredentials: Bool {
        detail.requestBody.text?.contains("‹password›") == true
            || call.map { $0.request.bearerName == nil } ?? false
    }

    private var contentType: String {
        String((detail.requestHeaders["Content-Type"] ?? "").prefix { $0 != ";" })
    }

    private var retryAfter: String? {
        detail.responseHeaders["Retry-After"].map { "Retry-After \($0)" }
    }

    private func errorMessage(
        _ interpretation: Call.Interpretation?, _ response: UpstreamResponse
    ) -> String {
        if case .failure(_, let message?, _)? = interpretation { return message }
        let fields = call?.fieldMessages(in: response) ?? [:]
        guard !fields.isEmpty else { return Format.status(response.status) }
        return fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(
            separator: "; ")
    }

    /// The manifest's failure rule that determined what the user saw.
    private func failureRule(_ interpretation: Call.Interpretation?) -> String? {
        guard case .failure(let failure, _, _)? = interpretation else { return nil }
        guard let failure, let index = call?.failures.firstIndex(of: failure) else {
            return "no matching failure rule"
        }
        let expectations = failure.expectedValues.sorted { $0.key < $1.key }.map {
            ", \($0.key) = \($0.value)"
        }
        return "rule \(index + 1)" + expectations.joined()
            + (failure.destination.map { " → \($0)" } ?? "")
    }
}
