import Traffic
import Web

/// Builds the model of a rejection from the embedded backend's checks or from inferred ones.
struct RejectionBuilder {
    let detail: ExchangeDetail
    let rejection: Rejection

    func build() -> RejectionModel {
        switch rejection.origin {
        case .fault(let faultLabel): makeFaultModel(faultLabel)
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

    /// A response made by Foyer, which no server's checks explain. The fault label contains the
    /// backend's original outcome, if the request was sent.
    private func makeFaultModel(_ faultLabel: String) -> RejectionModel {
        guard let range = faultLabel.firstRange(of: " after ") else {
            return RejectionModel(
                rejectionNote: "nothing left", checks: [],
                cause: "Foyer gave this answer itself: the condition "
                    + "\(faultLabel) struck before anything was sent.")
        }
        let originalOutcome = faultLabel[range.upperBound...].prefix { $0 != "," && $0 != ";" }
        return RejectionModel(
            rejectionNote: "not the backend's answer", checks: [],
            cause: "The backend had answered \(originalOutcome). Foyer put this answer "
                + "in its place: the condition \(faultLabel) struck.")
    }

    private func row(_ check: ExchangeCheck) -> RejectionModel.Check {
        let evidence = detail.masked(check.evidence)
        let (stateText, icon): (String, String?) =
            switch check.state {
            case .passed: ("passed", "check")
            case .failed: ("failed", "cross")
            case .skipped: ("not reached", nil)
            case .unknown: ("not known", nil)
            }
        return RejectionModel.Check(
            checkTitle: check.title, state: check.state.rawValue, stateText: stateText,
            checkIcon: icon,
            evidence: !evidence.isEmpty || icon != nil ? evidence : stateText)
    }
}
