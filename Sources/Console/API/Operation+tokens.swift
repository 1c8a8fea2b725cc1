import Simulator
import Web

/// OpenAPI operations for tokens and refresh tests.
extension Operation {
    static let inspectToken = Operation(
        "inspectToken", "Takes a token apart and judges it; nothing of it is kept.",
        body: Schema.object([("token", Schema.string)]),
        responses: [
            ResponseSpec(
                200, "Decoded, judged, with what could not be checked.",
                schema: Schema.tokenInspection
            )
        ])

    static let probeToken = Operation(
        "probeToken", "Asks a session's backend whether it takes the access token now.",
        body: Schema.object(
            [("session", Schema.string), ("token", Schema.integer)], optional: ["token"]),
        responses: [
            ResponseSpec(
                200, "What it said; accepted is null where it did not tell.",
                schema: Schema.object([
                    ("session", Schema.string),
                    ("accepted", ["type": ["boolean", "null"]]),
                    ("exchange", Schema.nullableString),
                    ("call", Schema.nullableString),
                    ("status", Schema.nullableInteger),
                    ("at", Schema.nullableTime), ("why", Schema.string),
                ])),
            ResponseSpec(
                409, "There is no such access token to show.", mediaType: "application/problem+json"
            ),
        ])

    static let runRefreshTest = Operation(
        "trySession",
        "Refreshes on purpose: from two tabs, with an old token, or with an "
            + "answer that gets lost.",
        body: Schema.object(
            [
                ("kind", Schema.choice(RefreshTest.Kind.allCases.map(\.rawValue))),
                ("generation", Schema.integer), ("token", Schema.integer),
            ], optional: ["generation", "token"]),
        responses: [
            ResponseSpec(
                200, "What was sent, in the order in which it came back.",
                schema: Schema.object([
                    ("session", Schema.string), ("kind", Schema.string),
                    (
                        "sendings",
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
                                ("why", Schema.string),
                            ]))
                    ),
                ])),
            ResponseSpec(
                409, "There is no such token to send.", mediaType: "application/problem+json"),
        ])
}
