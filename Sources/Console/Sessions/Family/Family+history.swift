import Backend
import FoundationEssentials
import Simulator

extension Family {
    /// `truth` was asked of the generations' tokens.
    init(
        _ session: Session, history: [SessionHistoryEntry], generations: TokenGenerations,
        sessionState: ServerSessionState?
    ) {
        let lineage = Lineage(generations, sessionState: sessionState)
        let isOver = sessionState?.session?.revokedAt != nil || session.endedAt != nil
        let (steps, trials) = Self.splitHistory(history)
        let last = generations.currentGeneration
        for (index, step) in steps.enumerated() {
            // Of a long life the middle is forgotten, never the sign-in.
            let generation = max(index + 1, last - (steps.count - 1 - index))
            let own = generations.deviceToken(ofGeneration: generation)
            let known = lineage.serverToken(own?.name)
            let isLast = generation == last
            nodes.append(
                Node(
                    generation: generation, serverGeneration: known?.generation,
                    title: step.kind == "signedIn" ? "Signed in" : step.title, at: step.at,
                    masked: own?.token?.summary.maskedValue
                        ?? (isLast ? session.refreshToken?.maskedValue : nil),
                    kind: isLast ? (isOver ? .ended : .current) : .used, usedAt: known?.usedAt,
                    reusedAt: known?.reusedAt, exchange: step.exchange))
        }
        if let known = sessionState?.session, let at = known.revokedAt {
            end = End(title: "all revoked", at: at, reason: known.revocationReason, isRevoked: true)
        } else if let at = session.endedAt {
            end = End(
                title: session.state == .revoked ? "given up" : "signed out", at: at, reason: nil,
                isRevoked: session.state == .revoked)
        }
        for moment in trials {
            if let branch = makeBranch(moment, lineage) { branches.append(branch) }
        }
        markEndingBranch()
    }

    /// The sign-in and each refresh that brought another access token, and
    /// the trials: without what an earlier state that came back undid.
    private static func splitHistory(_ moments: [SessionHistoryEntry]) -> (
        steps: [SessionHistoryEntry], trials: [SessionHistoryEntry]
    ) {
        var steps: [SessionHistoryEntry] = []
        var trials: [SessionHistoryEntry] = []
        var generation = 0
        for moment in moments {
            if moment.kind.contains(".") {
                trials.append(moment)
                continue
            }
            if moment.kind == "restored", !steps.isEmpty {
                generation = moment.generation
                // Where it signed in it was, whatever is remembered.
                steps = steps.prefix(1) + steps.dropFirst().filter { $0.generation <= generation }
                trials.removeAll { $0.generation > generation }
                continue
            }
            if steps.isEmpty || moment.kind == "refreshed" && moment.generation > generation {
                steps.append(moment)
            }
            generation = max(generation, moment.generation)
        }
        return (steps, trials)
    }

    private func makeBranch(_ moment: SessionHistoryEntry, _ lineage: Lineage) -> Branch? {
        let parts = moment.kind.split(separator: ".").map(String.init)
        guard parts.count == 2, let kind = RefreshTest.Kind(rawValue: parts[0]),
            let outcome = RefreshTest.Outcome(rawValue: parts[1]), outcome != .stored
        else { return nil }
        let shown = moment.tokenNumber.flatMap { lineage.generations.archivedToken(number: $0) }
        let label = shown?.name.label ?? String(moment.generation)
        let title =
            switch kind {
            case .concurrent:
                moment.title.hasPrefix(RefreshTest.clientNames[0])
                    ? "\(RefreshTest.clientNames[0]) used \(label)"
                    : "\(RefreshTest.clientNames[1]) used \(label) too"
            case .replay:
                "Generation \(label) "
                    + (moment.title.contains(RefreshTest.usedElsewhereText)
                        ? RefreshTest.usedElsewhereText : RefreshTest.reusedText)
            case .dropResponse: "Answer to \(label) lost"
            }
        let made =
            outcome == .accepted ? lineage.generations.token(issuedBy: moment.exchange)?.name : nil
        let note =
            switch outcome {
            case .stored, .accepted: resultText(made, by: kind, lineage)
            case .rejected: "refused"
            case .noResponse: "no usable answer"
            }
        return Branch(
            generation: origin(of: shown, lineage) ?? moment.generation, title: title,
            note: "at \(Format.dateTime(moment.at)), \(note)", at: moment.at, endsFamily: false,
            isAccepted: outcome == .accepted, result: made, text: moment.title,
            exchange: moment.exchange)
    }

    /// Two tabs may be given the same token, and a second use none.
    private func resultText(
        _ made: TokenGenerations.GenerationName?, by kind: RefreshTest.Kind, _ lineage: Lineage
    )
        -> String
    {
        let done = kind == .dropResponse ? "done" : "taken"
        guard let made else { return "\(done) by the server" }
        if made.letter.isEmpty { return "\(done): given \(made.label) too" }
        return lineage.serverToken(made).map { "\(done): \(Lineage.serverLabel($0.generation))" }
            ?? "\(done): another branch"
    }

    /// The device's generation from which a token descends that it never
    /// held; nil of its own.
    private func origin(of shown: TokenGenerations.NamedToken?, _ lineage: Lineage) -> Int? {
        guard let shown, shown.token?.origin ?? .device != .device else { return nil }
        return branches.last { $0.result == shown.name }?.generation ?? shown.name.generation - 1
    }

    /// The reuse that ended the family is the one refused as it ended.
    private mutating func markEndingBranch() {
        guard let end, end.reason == EmbeddedBackend.refreshTokenReusedReason else { return }
        let found = branches.indices.filter {
            !branches[$0].isAccepted && branches[$0].at >= end.at - 1
        }.min { branches[$0].at < branches[$1].at }
        guard let found else { return }
        branches[found].endsFamily = true
        // What came after the stolen one died with it.
        for index in nodes.indices where nodes[index].generation > branches[found].generation {
            nodes[index].kind = .ended
        }
    }
}
