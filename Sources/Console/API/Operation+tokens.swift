import Simulator
import Web

/// OpenAPI operations for tokens and refresh tests.
extension Operation {
    static let inspectToken = Operation(
        "inspectToken", "Decodes and verifies a token without storing it.",
        body: Schema.object([("token", Schema.string)]),
        responses: [
            ResponseSpec(
                200, "The decoded token, its verification and what was not verified.",
                schema: Schema.tokenInspection
            )
        ])

    static let probeToken = Operation(
        "probeToken", "Checks whether a session's backend accepts an access token now.",
        body: Schema.object(
            [("session", Schema.string), ("token", Schema.integer)], optional: ["token"]),
        responses: [
            ResponseSpec(
                200, "The result; accepted is null if the response is inconclusive.",
                schema: Schema.object([
                    ("session", Schema.string),
                    ("accepted", ["type": ["boolean", "null"]]),
                    ("exchange", Schema.nullableString),
                    ("call", Schema.nullableString),
                    ("status", Schema.nullableInteger),
                    ("at", Schema.nullableTime), ("reason", Schema.string),
                ])),
            ResponseSpec(
                409, "The session has no such access token.", mediaType: "application/problem+json"
            ),
        ])

    static let runRefreshTest = Operation(
        "runRefreshTest",
        "Tests a session's refresh: concurrent refreshes, reuse of an old token, "
            + "or a dropped response.",
        body: Schema.object(
            [
                ("kind", Schema.choice(RefreshTest.Kind.allCases.map(\.rawValue))),
                ("generation", Schema.integer), ("token", Schema.integer),
            ], optional: ["generation", "token"]),
        responses: [
            ResponseSpec(
                200, "The requests, in the order of their responses.",
                schema: Schema.object([
                    ("session", Schema.string), ("kind", Schema.string),
                    (
                        "requests",
                        Schema.array(
                            Schema.object([
                                ("exchange", Schema.string),
                                ("status", Schema.nullableInteger),
                                (
                                    "outcome",
                                    Schema.choice(
                                        RefreshTest.Outcome.allCases.map(\.rawValue))
                                ),
                                ("generation", Schema.integer),
                                ("reason", Schema.string),
                            ]))
                    ),
                ])),
            ResponseSpec(
                409, "The session has no such token.", mediaType: "application/problem+json"),
        ])
}
