import Backend
import FoundationEssentials
import Simulator

extension Family {
    /// `truth` was asked of the generations' tokens.
    init(_ session: Session, moments: [SessionMoment], generations: Generations, truth: Truth?) {
        let lineage = Lineage(generations, truth: truth)
        let isOver = truth?.session?.revokedAt != nil || session.endedAt != nil
        let (steps, trials) = Self.descent(moments)
        let last = generations.current
        for (index, step) in steps.enumerated() {
            // Of a long life the middle is forgotten, never the sign-in.
            let generation = max(index + 1, last - (steps.count - 1 - index))
            let own = generations.own(generation)
            let known = lineage.known(own?.name)
            let isLast = generation == last
            nodes.append(
                Node(
                    generation: generation, server: known?.generation,
                    title: step.kind == "signedIn" ? "Signed in" : step.title, at: step.at,
                    masked: own?.token?.held.masked
                        ?? (isLast ? session.refreshToken?.masked : nil),
                    kind: isLast ? (isOver ? .dead : .current) : .used, usedAt: known?.usedAt,
                    reusedAt: known?.reusedAt, exchange: step.exchange))
        }
        if let known = truth?.session, let at = known.revokedAt {
            end = End(title: "all revoked", at: at, because: known.revokedBecause, isRevoked: true)
        } else if let at = session.endedAt {
            end = End(
                title: session.state == .revoked ? "given up" : "signed out", at: at, because: nil,
                isRevoked: session.state == .revoked)
        }
        for moment in trials { if let branch = branch(moment, lineage) { branches.append(branch) } }
        markFatal()
    }

    /// The sign-in and each refresh that brought another access token, and
    /// the trials: without what an earlier state that came back undid.
    private static func descent(_ moments: [SessionMoment]) -> (
        steps: [SessionMoment], trials: [SessionMoment]
    ) {
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

    private func branch(_ moment: SessionMoment, _ lineage: Lineage) -> Branch? {
        let parts = moment.kind.split(separator: ".").map(String.init)
        guard parts.count == 2, let kind = Trial.Kind(rawValue: parts[0]),
            let outcome = Trial.Outcome(rawValue: parts[1]), outcome != .kept
        else { return nil }
        let shown = moment.token.flatMap { lineage.generations.kept($0) }
        let label = shown?.name.label ?? String(moment.generation)
        let title =
            switch kind {
            case .race:
                moment.title.hasPrefix(Trial.tabs[0])
                    ? "\(Trial.tabs[0]) used \(label)" : "\(Trial.tabs[1]) used \(label) too"
            case .replay:
                "Generation \(label) "
                    + (moment.title.contains(Trial.elsewhere) ? Trial.elsewhere : Trial.again)
            case .lostAnswer: "Answer to \(label) lost"
            }
        let made = outcome == .taken ? lineage.generations.made(by: moment.exchange)?.name : nil
        let note =
            switch outcome {
            case .kept, .taken: brought(made, by: kind, lineage)
            case .refused: "refused"
            case .unanswered: "no usable answer"
            }
        return Branch(
            generation: origin(of: shown, lineage) ?? moment.generation, title: title,
            note: "at \(Words.moment(moment.at)), \(note)", at: moment.at, isFatal: false,
            isTaken: outcome == .taken, made: made, words: moment.title, exchange: moment.exchange)
    }

    /// Two tabs may be given the same token, and a second use none.
    private func brought(_ made: Generations.Name?, by kind: Trial.Kind, _ lineage: Lineage)
        -> String
    {
        let done = kind == .lostAnswer ? "done" : "taken"
        guard let made else { return "\(done) by the server" }
        if made.letter.isEmpty { return "\(done): given \(made.label) too" }
        return lineage.known(made).map { "\(done): \(Lineage.theirs($0.generation))" }
            ?? "\(done): another branch"
    }

    /// The device's generation from which a token descends that it never
    /// held; nil of its own.
    private func origin(of shown: Generations.Named?, _ lineage: Lineage) -> Int? {
        guard let shown, shown.token?.branch ?? .own != .own else { return nil }
        return branches.last { $0.made == shown.name }?.generation ?? shown.name.generation - 1
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
        for index in nodes.indices where nodes[index].generation > branches[found].generation {
            nodes[index].kind = .dead
        }
    }
}
