import Traffic
import Web

/// Says why an exchange was refused: by the checks the embedded backend made,
/// or by what can be told from here of any other.
struct RejectionBuilder {
    let detail: ExchangeDetail
    /// What can be told without the server; asked only if it told nothing.
    let derived: () async throws -> [ExchangeCheck]

    private var exchange: Exchange { detail.exchange }

    /// Nil unless somebody said no.
    func build() async throws -> RejectionModel? {
        guard let status = exchange.status, status >= 400,
            status < 500 || !detail.checks.isEmpty
        else { return nil }
        if let condition = exchange.condition,
            detail.responseHeaders["Foyer-Condition"] != nil
        {
            return given(by: condition)
        }
        let isExact = !detail.checks.isEmpty
        let checks = isExact ? detail.checks : try await derived()
        return RejectionModel(
            rejectionNote: isExact
                ? "in the server's order" : "derived from here",
            checks: checks.map(row),
            cause: RejectionWords.cause(
                checks.first { $0.state == .failed }, status: status,
                isExact: isExact, condition: exchange.condition,
                fill: detail.masked))
    }

    /// Foyer's own answer; no server's checks explain it. The stamp tells
    /// what a backend had answered, if it was asked at all.
    private func given(by condition: String) -> RejectionModel {
        guard let found = condition.firstRange(of: " after ") else {
            return RejectionModel(
                rejectionNote: "nothing left", checks: [],
                cause: "Foyer gave this answer itself: the condition "
                    + "\(condition) struck before anything was sent.")
        }
        let after = condition[found.upperBound...]
            .prefix { $0 != "," && $0 != ";" }
        return RejectionModel(
            rejectionNote: "not the backend's answer", checks: [],
            cause: "The backend had answered \(after). Foyer put this answer "
                + "in its place: the condition \(condition) struck.")
    }

    private func row(_ check: ExchangeCheck) -> RejectionModel.Check {
        let evidence = detail.masked(check.evidence)
        let (said, icon): (String, String?) =
            switch check.state {
            case .passed: ("passed", "check")
            case .failed: ("failed", "cross")
            case .notReached: ("not reached", nil)
            case .unknown: ("not known", nil)
            }
        return RejectionModel.Check(
            check: check.title, standing: check.state.rawValue, said: said,
            checkIcon: icon,
            evidence: !evidence.isEmpty || icon != nil ? evidence : said)
    }
}
