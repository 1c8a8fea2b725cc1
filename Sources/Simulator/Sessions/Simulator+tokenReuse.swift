import Traffic
import Web

extension Simulator {
    /// Shows the refresh token of a generation again, as a thief would; the
    /// device gets nothing of what comes.
    ///
    /// It is the device's own of that number: the stored one, if it is of
    /// that generation, else the one it gave up.
    package func testTokenReuse(session id: String, generation: Int, in workspace: String)
        async throws
        -> RefreshTest
    {
        try await sendReusedToken(of: id, workspace, description: "of generation \(generation)") {
            $0.deviceToken(ofGeneration: generation)
        }
    }

    /// The same of any kept refresh token, by its number: the other tab's,
    /// too.
    package func testTokenReuse(session id: String, token number: Int, in workspace: String)
        async throws
        -> RefreshTest
    {
        try await sendReusedToken(of: id, workspace, description: "with the number \(number)") {
            $0.archivedToken(number: number)
        }
    }

    private func sendReusedToken(
        of id: String, _ workspace: String, description words: String,
        _ choose: (TokenGenerations) -> TokenGenerations.NamedToken?
    ) async throws -> RefreshTest {
        let scene = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let generations = try await tokenGenerations(of: scene.session)
        guard let shown = choose(generations) else { throw Problem.tokenNotArchived(words) }
        let one = try await reportingTermination {
            try await runner.sendRefresh(shown.value, scene.run, initiator: .replay)
        }
        // Only what the device went on from was surely used before.
        let use =
            generations.isSuperseded(shown) ? RefreshTest.reusedText : RefreshTest.usedElsewhereText
        let sending = try await finishRequest(
            one, scene, shown.token?.generation ?? generations.currentGeneration, .reuse,
            sender: "\(shown.name.title), \(use),")
        return try await recordTest(
            RefreshTest(kind: .replay, requests: [sending]), scene, [one],
            token: shown.token?.number)
    }
}

extension Problem {
    fileprivate static func tokenNotArchived(_ words: String) -> Problem {
        Problem(
            status: 409, code: "no-such-generation", title: "That refresh token is not kept",
            detail: "No refresh token \(words) is kept of this session. Of"
                + " each session the newest \(ArchivedTokenTable.maxPerSession) tokens are.")
    }
}
