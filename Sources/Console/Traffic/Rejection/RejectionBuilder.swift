import Traffic
import Web

/// Puts a refusal into words: by the checks the embedded backend made, or by
/// what can be told from here of any other.
struct RejectionBuilder {
    let detail: ExchangeDetail
    let rejection: Rejection

    func build() -> RejectionModel {
        switch rejection.origin {
        case .fault(let condition): makeFaultModel(condition)
        case .server: makeModel("in the server's order", isExact: true)
        case .inferred: makeModel("derived from here", isExact: false)
        }
    }

    private func makeModel(_ note: String, isExact: Bool) -> RejectionModel {
        RejectionModel(
            rejectionNote: note, checks: rejection.checks.map(row),
            cause: RejectionMessage.cause(
                rejection.checks.first { $0.state == .failed }, status: detail.exchange.status ?? 0,
                isExact: isExact, fault: detail.exchange.fault, fill: detail.masked))
    }

    /// Foyer's own answer; no server's checks explain it. The stamp tells
    /// what a backend had answered, if it was asked at all.
    private func makeFaultModel(_ condition: String) -> RejectionModel {
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
            case .skipped: ("not reached", nil)
            case .unknown: ("not known", nil)
            }
        return RejectionModel.Check(
            checkTitle: check.title, state: check.state.rawValue, stateText: said, checkIcon: icon,
            evidence: !evidence.isEmpty || icon != nil ? evidence : said)
    }
}
