import Traffic
import Web

extension Simulator {
    /// Sends the refresh token of a generation again, as an attacker would; the device receives
    /// nothing of the response.
    ///
    /// It is the device's own token of that generation: the stored one, or else the retired one.
    package func testTokenReuse(session id: String, generation: Int, in workspace: String)
        async throws
        -> RefreshTest
    {
        try await sendReusedToken(of: id, workspace, description: "of generation \(generation)") {
            $0.deviceToken(ofGeneration: generation)
        }
    }

    /// Sends any archived refresh token again, by its number, including other clients' tokens.
    package func testTokenReuse(session id: String, token number: Int, in workspace: String)
        async throws
        -> RefreshTest
    {
        try await sendReusedToken(of: id, workspace, description: "with number \(number)") {
            $0.archivedToken(number: number)
        }
    }

    private func sendReusedToken(
        of id: String, _ workspace: String, description tokenDescription: String,
        _ choose: (TokenGenerations) -> TokenGenerations.NamedToken?
    ) async throws -> RefreshTest {
        let context = try await makeTokenTestContext(id, workspace, needsRefresh: true)
        let generations = try await tokenGenerations(of: context.session)
        guard let namedToken = choose(generations) else {
            throw Problem.tokenNotArchived(tokenDescription)
        }
        let attempt = try await reportingTermination {
            try await runner.sendRefresh(namedToken.value, context.run, initiator: .replay)
        }
        // Only a token that the device replaced by refreshing was certainly used before.
        let usageText =
            generations.isSuperseded(namedToken)
            ? RefreshTest.reusedText : RefreshTest.usedElsewhereText
        let request = try await finishRequest(
            attempt, context, namedToken.token?.generation ?? generations.currentGeneration, .reuse,
            sender: "\(namedToken.name.title), \(usageText),")
        return try await recordTest(
            RefreshTest(kind: .replay, requests: [request]), context, [attempt],
            token: namedToken.token?.number)
    }
}

extension Problem {
    fileprivate static func tokenNotArchived(_ tokenDescription: String) -> Problem {
        Problem(
            status: 409, code: "no-such-generation", title: "Refresh token not stored",
            detail: "No refresh token \(tokenDescription) is stored for this session. Foyer"
                + " stores the newest \(ArchivedTokenTable.maxPerSession) tokens of each session.")
    }
}
