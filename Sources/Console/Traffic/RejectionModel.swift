import Inspection
import Traffic
import Web

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

extension RejectionModel {
    /// From the embedded backend's checks, or from inferred ones.
    init(_ rejection: Rejection, of detail: ExchangeDetail) {
        switch rejection.origin {
        case .fault(let label): self.init(fault: label)
        case .server: self.init("Checks in server order", rejection, detail, isExact: true)
        case .inferred: self.init("Inferred by Foyer", rejection, detail, isExact: false)
        }
    }

    private init(_ note: String, _ rejection: Rejection, _ detail: ExchangeDetail, isExact: Bool) {
        rejectionNote = note
        checks = rejection.checks.map { Check($0, evidence: detail.masked($0.evidence)) }
        cause = RejectionMessage.cause(
            rejection.checks.first { $0.state == .failed }, status: detail.exchange.status ?? 0,
            isExact: isExact, fault: detail.exchange.fault, fill: detail.masked)
    }

    /// A response made by Foyer, which no server's checks explain. The fault label contains the
    /// backend's original outcome, if the request was sent.
    private init(fault label: String) {
        checks = []
        guard let range = label.firstRange(of: " after ") else {
            rejectionNote = "Not sent"
            cause =
                "Foyer generated this response: the fault \(label) was applied before "
                + "sending the request."
            return
        }
        let originalOutcome = label[range.upperBound...].prefix { $0 != "," && $0 != ";" }
        rejectionNote = "Not the backend's response"
        cause =
            "The backend responded with \(originalOutcome). Foyer replaced the "
            + "response: the fault \(label) was applied."
    }
}

extension RejectionModel.Check {
    fileprivate init(_ check: ExchangeCheck, evidence: String) {
        (stateText, checkIcon) =
            switch check.state {
            case .passed: ("Passed", "check")
            case .failed: ("Failed", "cross")
            case .skipped: ("Skipped", nil)
            case .unknown: ("Unknown", nil)
            }
        checkTitle = check.title
        state = check.state.rawValue
        self.evidence = evidence.isEmpty && checkIcon == nil ? stateText : evidence
    }
}
