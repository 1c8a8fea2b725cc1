import Apps
import Backend
import FoundationEssentials
import Simulator
import Traffic
import Web

/// What can be told of a refusal without the server that gave it: its
/// checks are its own, so these are called derived.
struct InferredChecks {
    let services: Services
    let detail: ExchangeDetail
    /// Opens the token behind `Bearer`; nil if the call carried none.
    let loadBearerToken: () async throws -> String?

    private var exchange: Exchange { detail.exchange }

    /// By the real clock: what the workspace's says today is not what it said
    /// then, and no clock but ours was ever moved.
    private var sentAt: Date { exchange.startedAt }

    func list() async throws -> [ExchangeCheck] {
        guard let status = exchange.status else { return [] }
        let reading = interpretation(status)
        let words = errorMessage(reading, status)
        var checks = [
            makeCheck(
                "route", "Method and path are known", status != 404 && status != 405, words,
                call?.name ?? "")
        ]
        checks.append(
            makeCheck("limit", "Within the rate limit", status != 429, retryAfter ?? words))
        if exchange.requestBytes > 0 {
            let isReadable = status != 413 && status != 415
            checks.append(makeCheck("body", "Body can be read", isReadable, words, contentType))
        }
        checks += try await tokenChecks(status)
        checks.append(statusCheck(status, words))
        if let row = failureRule(reading) {
            checks.append(
                ExchangeCheck(
                    name: "manifest", title: "The manifest's failure", state: .passed, evidence: row
                ))
        }
        return skippingAfterFailure(checks)
    }

    // MARK: Parts

    private func makeCheck(
        _ name: String, _ title: String, _ holds: Bool, _ wrong: String, _ right: String = ""
    ) -> ExchangeCheck {
        ExchangeCheck(
            name: name, title: title, state: holds ? .passed : .failed,
            evidence: holds ? right : wrong)
    }

    private func tokenChecks(_ status: Int) async throws -> [ExchangeCheck] {
        let needs = call?.call.request.bearerName != nil
        guard let token = try await loadBearerToken() else {
            return needs || status == 401 && !carriesCredentials
                ? [makeCheck("header", "Authorization header present", false, "there is none")] : []
        }
        var checks = [makeCheck("header", "Authorization header present", true, "", "Bearer")]
        let summary = Session.TokenSummary(decoding: token, at: sentAt)
        guard summary.isJWT else {
            return checks + [
                ExchangeCheck(
                    name: "jwt", title: "Token is a JWT", state: .unknown, evidence: "it is opaque")
            ]
        }
        checks.append(
            makeCheck("jwt", "Token is a JWT", true, "", "3 parts, \(summary.byteCount) B"))
        checks.append(signatureCheck(token))
        if let end = summary.expiresAt {
            let distance = Format.duration(abs(sentAt.timeIntervalSince(end)))
            checks.append(
                makeCheck(
                    "expiry", "Not expired", end > sentAt, "exp was \(distance) before this call",
                    "for \(distance) more"))
        }
        return checks
    }

    private func signatureCheck(_ token: String) -> ExchangeCheck {
        let contract = services.contract(ofBackend: exchange.backend, app: exchange.app)
        let verdict = contract.map {
            services.backend.verifySignature(token, contract: $0, workspace: exchange.workspace)
        }
        let (state, evidence): (ExchangeCheck.State, String) =
            switch verdict?.status {
            case .verified: (.passed, "key \(verdict?.keyID ?? "")")
            case .invalid: (.failed, verdict?.reason ?? "")
            default: (.unknown, "no key is known for this backend")
            }
        return ExchangeCheck(
            name: "signature", title: "Signature", state: state, evidence: evidence)
    }

    /// What the status alone says, if nothing before it failed.
    private func statusCheck(_ status: Int, _ words: String) -> ExchangeCheck {
        switch status {
        case 401, 403:
            carriesCredentials
                ? makeCheck("credentials", "Credentials accepted", false, words)
                : makeCheck("token", "Token accepted", false, words)
        case 409: makeCheck("state", "State allows it", false, words)
        case 404, 405, 413, 415, 429:
            ExchangeCheck(
                name: "fields", title: "Fields are valid", state: .skipped, evidence: "")
        default: makeCheck("fields", "Fields are valid", false, words)
        }
    }

    /// The first failure counts; what comes after it was not reached.
    private func skippingAfterFailure(_ checks: [ExchangeCheck]) -> [ExchangeCheck] {
        var isOver = false
        return checks.map { check in
            guard isOver, check.name != "manifest" else {
                isOver = check.state == .failed || isOver
                return check
            }
            var check = check
            check.state = .skipped
            check.evidence = ""
            return check
        }
    }

    // MARK: What the manifest knows

    private var app: App? { services.appCatalog.app(exchange.app) }

    private var call: (name: String, call: Call)? {
        app?.call(exchange.call, backend: exchange.backend).map { (exchange.call, $0) }
    }

    /// Whether something was typed that the server had to judge.
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
                status: status, headers: detail.responseHeaders, body: detail.responseBody.bytes)
        )
    }

    private func errorMessage(_ reading: Call.Interpretation?, _ status: Int) -> String {
        if case .failure(_, let message?, _)? = reading { return message }
        let response = UpstreamResponse(
            status: status, headers: detail.responseHeaders, body: detail.responseBody.bytes)
        let fields = call?.call.fieldMessages(in: response) ?? [:]
        guard !fields.isEmpty else { return Format.status(status) }
        return fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(
            separator: "; ")
    }

    /// The row of the manifest that made of it what the user saw.
    private func failureRule(_ reading: Call.Interpretation?) -> String? {
        guard case .failure(let failure, _, _)? = reading else { return nil }
        guard let failure, let index = call?.call.failures.firstIndex(of: failure) else {
            return "no row speaks of it"
        }
        let places = failure.expectedValues.sorted { $0.key < $1.key }.map {
            "\($0.key) = \($0.value)"
        }
        var words = "row \(index + 1)"
        if !places.isEmpty { words += ", " + places.joined(separator: ", ") }
        if let go = failure.destination { words += " → \(go)" }
        return words
    }
}
