package import Backend
import FoundationEssentials
package import Simulator
import Web

extension Family {
    /// `sessionState` has the server's information about the tokens of `generations`.
    package init(
        _ session: Session, history: [SessionHistoryEntry], generations: TokenGenerations,
        sessionState: ServerSessionState?
    ) {
        let lineage = Lineage(generations, sessionState: sessionState)
        let hasEnded = sessionState?.session?.revokedAt != nil || session.endedAt != nil
        let (steps, tests) = Self.splitHistory(history)
        let last = generations.currentGeneration
        for (index, step) in steps.enumerated() {
            // A long history loses its middle entries, never the sign-in.
            let generation = max(index + 1, last - (steps.count - 1 - index))
            let deviceToken = generations.deviceToken(ofGeneration: generation)
            let serverToken = lineage.serverToken(deviceToken?.name)
            let isLast = generation == last
            nodes.append(
                Node(
                    generation: generation, serverGeneration: serverToken?.generation,
                    title: step.kind == "signedIn" ? "Signed in" : step.title, at: step.at,
                    masked: deviceToken?.token?.summary.maskedValue
                        ?? (isLast ? session.refreshToken?.maskedValue : nil),
                    kind: isLast ? (hasEnded ? .ended : .current) : .used,
                    usedAt: serverToken?.usedAt, reusedAt: serverToken?.reusedAt,
                    exchange: step.exchange))
        }
        if let serverSession = sessionState?.session, let at = serverSession.revokedAt?.date {
            end = End(
                title: "Family revoked", at: at, reason: serverSession.revocationReason,
                isRevoked: true)
        } else if let at = session.endedAt {
            end = End(
                title: session.state == .revoked ? "Signed out locally" : "Signed out", at: at,
                reason: nil, isRevoked: session.state == .revoked)
        }
        for entry in tests {
            if let branch = makeBranch(entry, lineage) { branches.append(branch) }
        }
        markEndingBranch()
    }

    /// Splits the history into steps and refresh tests, without those that a restored state undid.
    /// Steps are the sign-in and each refresh that brought another access token.
    private static func splitHistory(_ history: [SessionHistoryEntry]) -> (
        steps: [SessionHistoryEntry], tests: [SessionHistoryEntry]
    ) {
        var steps: [SessionHistoryEntry] = []
        var tests: [SessionHistoryEntry] = []
        var generation = 0
        for entry in history {
            if entry.kind.contains(".") {
                tests.append(entry)
                continue
            }
            if entry.kind == "restored", !steps.isEmpty {
                generation = entry.generation
                // The sign-in stays, whatever generation it was recorded with.
                steps = steps.prefix(1) + steps.dropFirst().filter { $0.generation <= generation }
                tests.removeAll { $0.generation > generation }
                continue
            }
            if steps.isEmpty || entry.kind == "refreshed" && entry.generation > generation {
                steps.append(entry)
            }
            generation = max(generation, entry.generation)
        }
        return (steps, tests)
    }

    private func makeBranch(_ entry: SessionHistoryEntry, _ lineage: Lineage) -> Branch? {
        let parts = entry.kind.split(separator: ".").map(String.init)
        guard parts.count == 2, let kind = RefreshTest.Kind(rawValue: parts[0]),
            let outcome = RefreshTest.Outcome(rawValue: parts[1]), outcome != .stored
        else { return nil }
        let presented = entry.tokenNumber.flatMap { lineage.generations.archivedToken(number: $0) }
        let label = presented?.name.label ?? String(entry.generation)
        let title =
            switch kind {
            case .concurrent:
                entry.title.hasPrefix(RefreshTest.clientNames[0])
                    ? "\(RefreshTest.clientNames[0]) used #\(label)"
                    : "\(RefreshTest.clientNames[1]) reused #\(label)"
            case .replay:
                "Generation \(label) "
                    + (entry.title.contains(RefreshTest.usedElsewhereText)
                        ? RefreshTest.usedElsewhereText : RefreshTest.reusedText)
            case .dropResponse: "Response lost for #\(label)"
            }
        let issued =
            outcome == .accepted ? lineage.generations.token(issuedBy: entry.exchange)?.name : nil
        let note =
            switch outcome {
            case .stored, .accepted: resultText(issued, by: kind, lineage)
            case .rejected: "rejected"
            case .noResponse: "no usable response"
            }
        return Branch(
            generation: origin(of: presented) ?? entry.generation, title: title,
            note: "at \(Format.dateTime(entry.at)), \(note)", at: entry.at, endsFamily: false,
            isAccepted: outcome == .accepted, result: issued, text: entry.title,
            exchange: entry.exchange)
    }

    /// Two clients may receive the same token, and a second use none.
    private func resultText(
        _ issued: TokenGenerations.GenerationName?, by kind: RefreshTest.Kind, _ lineage: Lineage
    ) -> String {
        let prefix = kind == .dropResponse ? "processed" : "accepted"
        guard let issued else { return "\(prefix) by the server" }
        if issued.letter.isEmpty { return "\(prefix): also issued #\(issued.label)" }
        return lineage.serverToken(issued).map {
            "\(prefix): \(Lineage.serverLabel($0.generation))"
        } ?? "\(prefix): forked"
    }

    /// The device generation that a token of another client descends from; nil for the device's
    /// own.
    private func origin(of presented: TokenGenerations.NamedToken?) -> Int? {
        guard let presented, presented.token?.origin ?? .device != .device else { return nil }
        return branches.last { $0.result == presented.name }?.generation ?? presented.name
            .generation - 1
    }

    /// The reuse that ended the family is the first one rejected when the family ended.
    private mutating func markEndingBranch() {
        guard let end, end.reason == EmbeddedBackend.refreshTokenReusedReason else { return }
        let branchIndex = branches.indices.filter {
            !branches[$0].isAccepted && branches[$0].at >= end.at - 1
        }.min { branches[$0].at < branches[$1].at }
        guard let branchIndex else { return }
        branches[branchIndex].endsFamily = true
        // The generations after the reused one ended with the family.
        for index in nodes.indices where nodes[index].generation > branches[branchIndex].generation
        { nodes[index].kind = .ended }
    }
}
