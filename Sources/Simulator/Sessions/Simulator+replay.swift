import Traffic
import Web

extension Simulator {
    /// Shows the refresh token of a generation again, as a thief would; the
    /// device gets nothing of what comes.
    ///
    /// It is the device's own of that number: the stored one, if it is of
    /// that generation, else the one it gave up.
    package func replay(session id: String, generation: Int, in workspace: String) async throws
        -> Trial
    {
        try await show(of: id, workspace, named: "of generation \(generation)") {
            $0.own(generation)
        }
    }

    /// The same of any kept refresh token, by its number: the other tab's,
    /// too.
    package func replay(session id: String, token number: Int, in workspace: String) async throws
        -> Trial
    { try await show(of: id, workspace, named: "with the number \(number)") { $0.kept(number) } }

    private func show(
        of id: String, _ workspace: String, named words: String,
        _ choose: (Generations) -> Generations.Named?
    ) async throws -> Trial {
        let scene = try await scene(id, workspace, refreshing: true)
        let generations = try await generations(of: scene.session)
        guard let shown = choose(generations) else { throw Problem.notKept(words) }
        let one = try await carefully {
            try await runner.present(shown.value, scene.run, why: .replay)
        }
        // Only what the device went on from was surely used before.
        let use = generations.isSpent(shown) ? Trial.again : Trial.elsewhere
        let sending = try await settle(
            one, scene, shown.token?.generation ?? generations.current, .replayed,
            who: "\(shown.name.title), \(use),")
        return try await close(
            Trial(kind: .replay, sendings: [sending]), scene, [one], token: shown.token?.number)
    }
}

extension Problem {
    fileprivate static func notKept(_ words: String) -> Problem {
        Problem(
            status: 409, code: "no-such-generation", title: "That refresh token is not kept",
            detail: "No refresh token \(words) is kept of this session. Of"
                + " each session the newest \(TokenTable.bound) tokens are.")
    }
}
