import Apps
import Backend
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Infers the checks of a server that does not report them, from its response and the request.
struct InferredChecks {
    let backend: EmbeddedBackend
    let catalog: AppCatalog
    let detail: ExchangeDetail
    /// Unseals the bearer token; nil if the call carried none.
    let loadBearerToken: () async throws -> String?

    private var exchange: Exchange { detail.exchange }

    /// In system time: the workspace clock may have changed since, and only Foyer's own clock can
    /// be moved.
    private var sentAt: Date { exchange.startedAt }

    func list() async throws -> [ExchangeCheck] {
        guard let status = exchange.status else { return [] }
        let interpreted = interpretation(status)
        let message = errorMessage(interpreted, status)
        var checks = [
            makeCheck(
                "route", "Route exists", status != 404 && status != 405, message, call?.name ?? "")
        ]
        checks.append(
            makeCheck("rateLimit", "Within the rate limit", status != 429, retryAfter ?? message))
        if exchange.requestBytes > 0 {
            let isReadable = status != 413 && status != 415
            checks.append(makeCheck("body", "Body can be read", isReadable, message, contentType))
        }
        checks += try await tokenChecks(status)
        checks.append(statusCheck(status, message))
        if let row = failureRule(interpreted) {
            checks.append(
                ExchangeCheck(
                    name: "manifest", title: "Failure rule of the manifest", state: .passed,
                    evidence: row))
        }
        return skippingAfterFailure(checks)
    }

    // MARK: Parts

    private func makeCheck(
        _ name: String, _ title: String, _ isPassed: Bool, _ failedEvidence: String,
        _ passedEvidence: String = ""
    ) -> ExchangeCheck {
        ExchangeCheck(
            name: name, title: title, state: isPassed ? .passed : .failed,
            evidence: isPassed ? passedEvidence : failedEvidence)
    }

    private func tokenChecks(_ status: Int) async throws -> [ExchangeCheck] {
        let needsToken = call?.call.request.bearerName != nil
        guard let token = try await loadBearerToken() else {
            return needsToken || status == 401 && !carriesCredentials
                ? [
                    makeCheck(
                        "authorizationHeader", "Authorization header present", false, "missing")
                ] : []
        }
        var checks = [
            makeCheck("authorizationHeader", "Authorization header present", true, "", "Bearer")
        ]
        let summary = Session.TokenSummary(decoding: token, at: sentAt)
        guard summary.isJWT else {
            return checks + [
                ExchangeCheck(
                    name: "jwt", title: "Token is a JWT", state: .unknown, evidence: "opaque")
            ]
        }
        checks.append(
            makeCheck("jwt", "Token is a JWT", true, "", "3 parts, \(summary.byteCount) B"))
        checks.append(signatureCheck(token))
        if let expiresAt = summary.expiresAt {
            let duration = Format.duration(abs(sentAt.timeIntervalSince(expiresAt)))
            checks.append(
                makeCheck(
                    "expiry", "Not expired", expiresAt > sentAt,
                    "expired \(duration) before this request", "\(duration) left"))
        }
        return checks
    }

    private func signatureCheck(_ token: String) -> ExchangeCheck {
        let contract = catalog.contract(ofBackend: exchange.backend, app: exchange.app)
        let verdict = contract.map {
            backend.verifySignature(token, contract: $0, workspace: exchange.workspace)
        }
        let (state, evidence): (ExchangeCheck.State, String) =
            switch verdict?.status {
            case .verified: (.passed, "key \(verdict?.keyID ?? "")")
            case .invalid: (.failed, verdict?.reason ?? "")
            default: (.unknown, "no key for this backend")
            }
        return ExchangeCheck(
            name: "signature", title: "Signature", state: state, evidence: evidence)
    }

    /// What the status alone implies, if no earlier check failed.
    private func statusCheck(_ status: Int, _ message: String) -> ExchangeCheck {
        switch status {
        case 401, 403:
            carriesCredentials
                ? makeCheck("credentials", "Credentials accepted", false, message)
                : makeCheck("token", "Token accepted", false, message)
        case 409: makeCheck("state", "State allows it", false, message)
        case 404, 405, 413, 415, 429:
            ExchangeCheck(name: "fields", title: "Fields are valid", state: .skipped, evidence: "")
        default: makeCheck("fields", "Fields are valid", false, message)
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

    private var app: App? { catalog.app(exchange.app) }

    private var call: (name: String, call: Call)? {
        app?.call(exchange.call, backend: exchange.backend).map { (exchange.call, $0) }
    }

    /// Whether the request contained credentials for the server to check.
    private var carriesCredentials: Bool {
        detail.requestBody.text?.contains("‹password›") == true
            || call.map { $0.call.request.bearerName == nil } ?? false
    }

    private var contentType: String {
        String((detail.requestHeaders["Content-Type"] ?? "").prefix { $0 != ";" })
    }

    private var retryAfter: String? {
        detail.responseHeaders["Retry-After"].map { "Retry-After \($0)" }
    }

    private func interpretation(_ status: Int) -> Call.Interpretation? {
        call?.call.interpret(
            UpstreamResponse(
                status: status, headers: detail.responseHeaders, body: detail.responseBody.bytes))
    }

    private func errorMessage(_ interpretation: Call.Interpretation?, _ status: Int) -> String {
        if case .failure(_, let message?, _)? = interpretation { return message }
        let response = UpstreamResponse(
            status: status, headers: detail.responseHeaders, body: detail.responseBody.bytes)
        let fields = call?.call.fieldMessages(in: response) ?? [:]
        guard !fields.isEmpty else { return Format.status(status) }
        return fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(
            separator: "; ")
    }

    /// The manifest's failure rule that determined what the user saw.
    private func failureRule(_ interpretation: Call.Interpretation?) -> String? {
        guard case .failure(let failure, _, _)? = interpretation else { return nil }
        guard let failure, let index = call?.call.failures.firstIndex(of: failure) else {
            return "no matching failure rule"
        }
        let expectations = failure.expectedValues.sorted { $0.key < $1.key }.map {
            "\($0.key) = \($0.value)"
        }
        var text = "rule \(index + 1)"
        if !expectations.isEmpty { text += ", " + expectations.joined(separator: ", ") }
        if let destination = failure.destination { text += " → \(destination)" }
        return text
    }
}
