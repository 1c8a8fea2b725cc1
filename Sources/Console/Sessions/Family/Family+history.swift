import Backend
import FoundationEssentials
import Simulator

extension Family {
    /// `asked` is what the server says of each kept refresh token, the stored
    /// one last as nil, in the order of `tokens`.
    init(
        _ session: Session, moments: [SessionMoment],
        tokens: [KeptToken?], truth: Truth?
    ) {
        var asked: [Int: EmbeddedBackend.KnownRefreshToken] = [:]
        var masked: [Int: String] = [:]
        for (index, token) in tokens.enumerated() {
            let own = session.refreshCount + 1
            guard (token?.branch ?? .own) == .own else { continue }
            let generation = token?.generation ?? own
            masked[generation] = token?.held.masked
                ?? session.refreshToken?.masked
            if let truth, index < truth.asked.count {
                asked[generation] = truth.asked[index]
            }
        }
        let isOver = truth?.session?.revokedAt != nil
            || session.endedAt != nil
        let (steps, trials) = Self.descent(moments)
        let last = session.refreshCount + 1
        for (index, step) in steps.enumerated() {
            // Of a long life the middle is forgotten, never the sign-in.
            let generation = max(index + 1, last - (steps.count - 1 - index))
            let known = asked[generation]
            let isLast = generation == last
            nodes.append(
                Node(
                    generation: generation,
                    number: known?.generation ?? generation,
                    title: step.kind == "signedIn" ? "Signed in" : step.title,
                    at: step.at,
                    masked: masked[generation],
                    kind: isLast ? (isOver ? .dead : .current) : .used,
                    usedAt: known?.usedAt, reusedAt: known?.reusedAt,
                    exchange: step.exchange))
        }
        if let known = truth?.session, let at = known.revokedAt {
            end = End(
                title: "all revoked", at: at, because: known.revokedBecause,
                isRevoked: true)
        } else if let at = session.endedAt {
            end = End(
                title: session.state == .revoked ? "given up" : "signed out",
                at: at, because: nil, isRevoked: session.state == .revoked)
        }
        branches = trials.compactMap { moment in branch(moment) }
        markFatal()
    }

    /// The sign-in and each refresh that brought another access token, and
    /// the trials: without what an earlier state that came back undid.
    private static func descent(
        _ moments: [SessionMoment]
    ) -> (steps: [SessionMoment], trials: [SessionMoment]) {
        var steps: [SessionMoment] = []
        var trials: [SessionMoment] = []
        var generation = 0
        for moment in moments {
            if moment.kind.contains(".") {
                trials.append(moment)
                continue
            }
            if moment.kind == "restored", !steps.isEmpty {
                generation = moment.generation
                // Where it signed in it was, whatever is remembered.
                steps = steps.prefix(1)
                    + steps.dropFirst().filter { $0.generation <= generation }
                trials.removeAll { $0.generation > generation }
                continue
            }
            if steps.isEmpty
                || moment.kind == "refreshed"
                    && moment.generation > generation
            {
                steps.append(moment)
            }
            generation = max(generation, moment.generation)
        }
        return (steps, trials)
    }

    private func branch(_ moment: SessionMoment) -> Branch? {
        let parts = moment.kind.split(separator: ".").map(String.init)
        guard parts.count == 2,
            let kind = Trial.Kind(rawValue: parts[0]),
            let outcome = Trial.Outcome(rawValue: parts[1]),
            outcome != .kept
        else { return nil }
        let number = nodes.first { $0.generation == moment.generation }?
            .number ?? moment.generation
        let title =
            switch kind {
            case .race:
                moment.title.hasPrefix(Trial.tabs[0])
                    ? "\(Trial.tabs[0]) used \(number)"
                    : "\(Trial.tabs[1]) used \(number) too"
            case .replay: "Generation \(number) used again"
            case .lostAnswer: "Answer to \(number) lost"
            }
        let note =
            switch outcome {
            case .kept, .taken:
                kind == .lostAnswer
                    ? "done by the server" : "taken: another branch"
            case .refused: "refused"
            case .unanswered: "no usable answer"
            }
        return Branch(
            generation: moment.generation, title: title,
            note: "at \(Words.clock(moment.at)), \(note)", at: moment.at,
            isFatal: false, made: outcome == .taken ? number + 1 : nil,
            words: moment.title,
            exchange: moment.exchange)
    }

    /// The reuse that ended the family is the one refused as it ended.
    private mutating func markFatal() {
        guard let end, end.because == EmbeddedBackend.reuse else { return }
        let found = branches.indices.filter {
            !branches[$0].isTaken && branches[$0].at >= end.at - 1
        }.min { branches[$0].at < branches[$1].at }
        guard let found else { return }
        branches[found].isFatal = true
        // What came after the stolen one died with it.
        for index in nodes.indices
        where nodes[index].generation > branches[found].generation {
            nodes[index].kind = .dead
        }
    }
}
