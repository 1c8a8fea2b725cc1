import Apps
import Backend
import FoundationEssentials
import Simulator
import Traffic
import Web

/// What can be told of a refusal without the server that gave it: its
/// checks are its own, so these are called derived.
struct DerivedChecks {
    let services: Services
    let detail: ExchangeDetail
    /// Opens the token behind `Bearer`; nil if the call carried none.
    let bearer: () async throws -> String?

    private var exchange: Exchange { detail.exchange }

    /// By the real clock: what the workspace's says today is not what it said
    /// then, and no clock but ours was ever moved.
    private var sentAt: Date { exchange.startedAt }

    func list() async throws -> [ExchangeCheck] {
        guard let status = exchange.status else { return [] }
        let reading = reading(status)
        let words = said(reading, status)
        var checks = [
            check(
                "route", "Method and path are known", status != 404 && status != 405, words,
                call?.name ?? "")
        ]
        checks.append(check("limit", "Within the rate limit", status != 429, retry ?? words))
        if exchange.requestBytes > 0 {
            let isReadable = status != 413 && status != 415
            checks.append(check("body", "Body can be read", isReadable, words, kind))
        }
        checks += try await tokenChecks(status)
        checks.append(last(status, words))
        if let row = row(reading) {
            checks.append(
                ExchangeCheck(
                    name: "manifest", title: "The manifest's failure", state: .passed, evidence: row
                ))
        }
        return settled(checks)
    }

    // MARK: Parts

    private func check(
        _ name: String, _ title: String, _ holds: Bool, _ wrong: String, _ right: String = ""
    ) -> ExchangeCheck {
        ExchangeCheck(
            name: name, title: title, state: holds ? .passed : .failed,
            evidence: holds ? right : wrong)
    }

    private func tokenChecks(_ status: Int) async throws -> [ExchangeCheck] {
        let needs = call?.call.request.bearer != nil
        guard let token = try await bearer() else {
            return needs || status == 401 && !carriesCredentials
                ? [check("header", "Authorization header present", false, "there is none")] : []
        }
        var checks = [check("header", "Authorization header present", true, "", "Bearer")]
        let held = Session.Held(reading: token, at: sentAt)
        guard held.isJWT else {
            return checks + [
                ExchangeCheck(
                    name: "jwt", title: "Token is a JWT", state: .unknown, evidence: "it is opaque")
            ]
        }
        checks.append(check("jwt", "Token is a JWT", true, "", "3 parts, \(held.bytes) B"))
        checks.append(signature(token))
        if let end = held.expiresAt {
            let distance = Words.span(abs(sentAt.timeIntervalSince(end)))
            checks.append(
                check(
                    "expiry", "Not expired", end > sentAt, "exp was \(distance) before this call",
                    "for \(distance) more"))
        }
        return checks
    }

    private func signature(_ token: String) -> ExchangeCheck {
        let contract = services.contract(ofBackend: exchange.backend, app: exchange.app)
        let verdict = contract.map {
            services.backend.judge(token, contract: $0, workspace: exchange.workspace)
        }
        let (state, evidence): (ExchangeCheck.State, String) =
            switch verdict?.word {
            case .verified: (.passed, "key \(verdict?.keyID ?? "")")
            case .invalid: (.failed, verdict?.reason ?? "")
            default: (.unknown, "no key is known for this backend")
            }
        return ExchangeCheck(
            name: "signature", title: "Signature", state: state, evidence: evidence)
    }

    /// What the status alone says, if nothing before it failed.
    private func last(_ status: Int, _ words: String) -> ExchangeCheck {
        switch status {
        case 401, 403:
            carriesCredentials
                ? check("credentials", "Credentials accepted", false, words)
                : check("token", "Token accepted", false, words)
        case 409: check("state", "State allows it", false, words)
        case 404, 405, 413, 415, 429:
            ExchangeCheck(
                name: "fields", title: "Fields are valid", state: .notReached, evidence: "")
        default: check("fields", "Fields are valid", false, words)
        }
    }

    /// The first failure counts; what comes after it was not reached.
    private func settled(_ checks: [ExchangeCheck]) -> [ExchangeCheck] {
        var isOver = false
        return checks.map { check in
            guard isOver, check.name != "manifest" else {
                isOver = check.state == .failed || isOver
                return check
            }
            var check = check
            check.state = .notReached
            check.evidence = ""
            return check
        }
    }

    // MARK: What the manifest knows

    private var app: App? { services.catalogue.app(exchange.app) }

    private var call: (name: String, call: Call)? {
        app?.call(exchange.call, backend: exchange.backend).map { (exchange.call, $0) }
    }

    /// Whether something was typed that the server had to judge.
    private var carriesCredentials: Bool {
        detail.requestBody.text?.contains("‹password›") == true
            || call.map { $0.call.request.bearer == nil } ?? false
    }

    private var kind: String {
        String((detail.requestHeaders["Content-Type"] ?? "").prefix { $0 != ";" })
    }

    private var retry: String? { detail.responseHeaders["Retry-After"].map { "Retry-After \($0)" } }

    private func reading(_ status: Int) -> Call.Reading? {
        call?.call.read(
            Answer(status: status, headers: detail.responseHeaders, body: detail.responseBody.bytes)
        )
    }

    private func said(_ reading: Call.Reading?, _ status: Int) -> String {
        if case .failure(_, let message?, _)? = reading { return message }
        let answer = Answer(
            status: status, headers: detail.responseHeaders, body: detail.responseBody.bytes)
        let fields = call?.call.fieldMessages(in: answer) ?? [:]
        guard !fields.isEmpty else { return Words.status(status) }
        return fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(
            separator: "; ")
    }

    /// The row of the manifest that made of it what the user saw.
    private func row(_ reading: Call.Reading?) -> String? {
        guard case .failure(let failure, _, _)? = reading else { return nil }
        guard let failure, let index = call?.call.failures.firstIndex(of: failure) else {
            return "no row speaks of it"
        }
        let places = failure.where.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        var words = "row \(index + 1)"
        if !places.isEmpty { words += ", " + places.joined(separator: ", ") }
        if let go = failure.go { words += " → \(go)" }
        return words
    }
}
