import Traffic

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
        if let condition = exchange.condition, detail.remoteAddress == nil {
            return RejectionModel(
                rejectionNote: "nothing left", checks: [],
                cause: "Foyer gave this answer itself: the condition "
                    + "\(condition) struck before anything was sent.")
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
