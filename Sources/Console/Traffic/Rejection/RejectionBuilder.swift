import Traffic
import Web

/// Puts a refusal into words: by the checks the embedded backend made, or by
/// what can be told from here of any other.
struct RejectionBuilder {
    let detail: ExchangeDetail
    let refusal: Refusal

    func build() -> RejectionModel {
        switch refusal.origin {
        case .condition(let condition): given(by: condition)
        case .server: told("in the server's order", isExact: true)
        case .derived: told("derived from here", isExact: false)
        }
    }

    private func told(_ note: String, isExact: Bool) -> RejectionModel {
        RejectionModel(
            rejectionNote: note, checks: refusal.checks.map(row),
            cause: RejectionWords.cause(
                refusal.checks.first { $0.state == .failed }, status: detail.exchange.status ?? 0,
                isExact: isExact, condition: detail.exchange.condition, fill: detail.masked))
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
        let after = condition[found.upperBound...].prefix { $0 != "," && $0 != ";" }
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
            check: check.title, standing: check.state.rawValue, said: said, checkIcon: icon,
            evidence: !evidence.isEmpty || icon != nil ? evidence : said)
    }
}
