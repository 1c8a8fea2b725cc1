import Backend
import FoundationEssentials
import Inspection
import Simulator
import Web

/// `/api/tokens`: token inspection and token checks.
enum TokensAPI {
    static let endpoints = [
        // The token is not stored, logged or published.
        Endpoint(
            .post, "/api/tokens/inspect", "inspectToken",
            "Decodes and verifies a token without storing it.",
            reading: { parameters in
                let text = parameters.body.requiredString("token", limit: TokensPages.maxTokenBytes)
                let token = TokensPages.strippedToken(text)
                if token.isEmpty, parameters.body.isValid {
                    parameters.body.addError("token", "is empty")
                }
                return token
            },
            returning: .ok(
                inspection, "The decoded token, its verification and what was not verified.")
        ) { call, token in
            TokenInspection(
                token, backend: call.services.backend,
                now: call.services.now(in: try call.workspace))
        },

        Endpoint(
            .post, "/api/tokens/probe", "probeToken",
            "Checks whether a session's backend accepts an access token now.",
            reading: {
                ($0.body.requiredString("session"), $0.body.integer("token", in: validNumbers))
            },
            returning: .ok(
                probeResult, "The result; accepted is null if the response is inconclusive."),
            errors: [409: "The session has no such access token."]
        ) { call, input in
            let (id, number) = input
            let workspace = try call.workspace
            guard let session = try await call.services.simulator.session(id, in: workspace) else {
                throw Problem.unknownSession(id)
            }
            return (
                session.id,
                try await call.services.sessionSourcesReader.probe(session, token: number)
            )
        },

        // Neither token is stored, logged or published.
        Endpoint(
            .post, "/api/tokens/compare", "compareTokens",
            "Compares two tokens member by member, without storing them.",
            reading: { parameters in
                let limit = TokensPages.maxTokenBytes
                return [
                    parameters.body.requiredString("token", limit: limit),
                    parameters.body.requiredString("second", limit: limit),
                ].map(TokensPages.strippedToken)
            }, returning: .ok(comparison, "The differences.")
        ) { call, tokens in
            let now = call.services.now(in: try call.workspace)
            let parts = tokens.map {
                TokenInspection($0, backend: call.services.backend, now: now).token.comparedParts
            }
            return TokenDiff(before: parts[0], after: parts[1])
        },
        Endpoint(
            .get, "/api/sessions/{session}/compare", "compareSessionTokens",
            "Compares two access tokens of a session member by member.",
            reading: {
                (
                    readNumber("from", "The number of a stored token", &$0.query),
                    readNumber("to", "The number of a stored token", &$0.query)
                )
            }, returning: .ok(comparison, "The differences."),
            errors: [404: "The session has no such access token."]
        ) { call, numbers in
            let session = try await call.services.session(of: call.context)
            let tokens = try await call.services.comparedTokens(
                of: session, from: numbers.0, to: numbers.1)
            return TokenDiff(
                before: tokens.before.summary.comparedParts,
                after: tokens.after.summary.comparedParts)
        },
    ]

    private static func readNumber(_ name: String, _ text: String, _ query: inout QueryReader)
        -> Int?
    {
        query.value(
            name, "\(text); the current one by default.", schema: Schema.integer(in: validNumbers),
            rule: "must be a positive integer"
        ) { Int($0).flatMap { validNumbers.contains($0) ? $0 : nil } }
    }

    private static let comparison = Representation<TokenDiff>(
        "TokenComparison",
        [
            .init(
                "rows",
                array: Representation<TokenDiff.Row>([
                    .init("part") { $0.part }, .init("name") { $0.name },
                    .init("kind", choice: { $0.kind }),
                    .init("before") { $0.before?.displayText },
                    .init("after") { $0.after?.displayText },
                ])
            ) { $0.rows }
        ])

    /// The numbers that tokens and generations can have.
    static let validNumbers = 1...1_000_000

    private static let probeResult = Representation<
        (session: String, observation: SessionObservation?)
    >(
        "TokenCheck",
        [
            .init("session") { $0.session }, .init("accepted") { $0.observation?.isAccepted },
            .init("exchange") { $0.observation?.exchange }, .init("call") { $0.observation?.call },
            .init("status") { $0.observation?.status }, .init("at") { $0.observation?.at },
            .init("reason") { explanation($0.observation) },
        ])

    private static func explanation(_ observation: SessionObservation?) -> String {
        guard let observation else {
            return "The app has no call that checks a token. Its manifest can "
                + "name one: session.probe."
        }
        let status = observation.status.map { " with \($0)" }
        switch observation.isAccepted {
        case true?: return "\(observation.call) was accepted\(status ?? "")."
        case false?: return "\(observation.call) was rejected\(status ?? "")."
        case nil:
            return status.map { "\(observation.call) was inconclusive\($0)." }
                ?? "\(observation.call) got no response."
        }
    }

    private static let inspection = Representation<TokenInspection>(
        "InspectedToken",
        [
            .init("kind", schema: Schema.choice(["jwt", "opaque"], named: "TokenFormat")) {
                $0.token.isJWT ? "jwt" : "opaque"
            }, .init("masked") { $0.token.maskedValue }, .init("bytes") { $0.token.byteCount },
            .init("header", schema: Schema.nullable(Schema.anyObject)) { $0.token.header ?? .null },
            .init("claims", schema: Schema.nullable(Schema.anyObject)) { $0.token.claims ?? .null },
            .init(
                "verdict",
                Representation([
                    .init("signature", choice: { $0.verdict.status }),
                    .init("algorithm") { $0.verdict.algorithm },
                    .init("keyId") { $0.verdict.keyID },
                    .init("contract") { $0.contract }, .init("reason") { $0.verdict.reason },
                ])
            ) { $0 },
            .init(
                "expiry",
                Representation([
                    .init("state", choice: { $0.expiry }), .init("issuedAt") { $0.token.issuedAt },
                    .init("notBefore") { $0.notBefore }, .init("expiresAt") { $0.token.expiresAt },
                    .init("secondsLeft") { $0.secondsLeft },
                ])
            ) { $0 },
            .init(
                "unchecked",
                array: Representation<(name: String, reason: String)>([
                    .init("name") { $0.name }, .init("reason") { $0.reason },
                ])
            ) { $0.unchecked },
        ])
}
