import Inspection
import Traffic
import Web

/// Builds the model of a rejection from the embedded backend's checks or from inferred ones.
struct RejectionBuilder {
    let detail: ExchangeDetail
    let rejection: Rejection

    func build() -> RejectionModel {
        switch rejection.origin {
        case .fault(let faultLabel): makeFaultModel(faultLabel)
        case .server: makeModel("Checks in server order", isExact: true)
        case .inferred: makeModel("Inferred by Foyer", isExact: false)
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
                rejectionNote: "Not sent", checks: [],
                cause: "Foyer generated this response: the fault "
                    + "\(faultLabel) was applied before sending the request.")
        }
        let originalOutcome = faultLabel[range.upperBound...].prefix { $0 != "," && $0 != ";" }
        return RejectionModel(
            rejectionNote: "Not the backend's response", checks: [],
            cause: "The backend responded with \(originalOutcome). Foyer replaced the "
                + "response: the fault \(faultLabel) was applied.")
    }

    private func row(_ check: ExchangeCheck) -> RejectionModel.Check {
        let evidence = detail.masked(check.evidence)
        let (stateText, icon): (String, String?) =
            switch check.state {
            case .passed: ("Passed", "check")
            case .failed: ("Failed", "cross")
            case .skipped: ("Skipped", nil)
            case .unknown: ("Unknown", nil)
            }
        return RejectionModel.Check(
            checkTitle: check.title, state: check.state.rawValue, stateText: stateText,
            checkIcon: icon,
            evidence: !evidence.isEmpty || icon != nil ? evidence : stateText)
    }
}

/// Why a server rejected a request (`traffic/rejection`).
struct RejectionModel: Encodable, Sendable {
    /// Whether the checks are the server's own or inferred.
    var rejectionNote: String
    var checks: [Check]
    /// One sentence that states the cause.
    var cause: String

    struct Check: Encodable, Sendable {
        var checkTitle: String
        /// The CSS class: `passed`, `failed`, `notReached`, `unknown`.
        var state: String
        /// For screen readers: `Passed`, `Failed`, `Skipped`, `Unknown`.
        var stateText: String
        /// `check`, `cross`, or nil for a dash.
        var checkIcon: String?
        /// `expired 12 s before this request`, `Skipped`.
        var evidence: String
    }
}
