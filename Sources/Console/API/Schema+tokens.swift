import Simulator
import Web

/// Schemas of a session's details and of an inspected token.
extension Schema {
    private static let lastResponse = object([
        ("at", time), ("exchange", string), ("call", string), ("status", nullableInteger),
        ("accepted", ["type": ["boolean", "null"]]),
    ])

    private static let comparedValues: [(String, JSON)] = [
        ("stored", nullableString), ("claimed", nullableString), ("known", nullableString),
    ]

    private static let family = object([
        ("id", string), ("generation", integer), ("revokedAt", nullableTime),
        ("revokedBecause", nullableString),
        (
            "refreshTokens",
            array(
                object([
                    ("generation", integer), ("issuedAt", time), ("usedAt", nullableTime),
                    ("reusedAt", nullableTime),
                ]))
        ),
    ])

    static let sessionDetail = object(
        sessionMembers + [
            ("family", nullable(family)),
            (
                "views",
                array(
                    object(
                        [("fact", string)] + comparedValues + [
                            ("agrees", ["type": ["boolean", "null"]])
                        ]))
            ),
            (
                "disagreements",
                array(
                    object(
                        [
                            ("fact", string),
                            ("kind", choice(Discrepancy.Kind.allCases.map(\.rawValue))),
                            ("odd", choice(["stored", "claimed", "known"])),
                        ] + comparedValues + [("why", string), ("mend", string)]))
            ), ("lastAnswer", nullable(lastResponse)),
            (
                "keptTokens",
                array(
                    object([
                        ("number", integer),
                        ("kind", choice(ArchivedToken.Kind.allCases.map(\.rawValue))),
                        ("generation", integer), ("name", string),
                        ("serverGeneration", nullableInteger),
                        ("branch", choice(ArchivedToken.Origin.allCases.map(\.rawValue))),
                        ("masked", string), ("expiresAt", nullableTime),
                        ("exchange", nullableString),
                    ]))
            ),
        ])

    static let tokenInspection = object([
        ("kind", choice(["jwt", "opaque"])), ("masked", string),
        ("bytes", integer), ("header", ["type": ["object", "null"]]),
        ("claims", ["type": ["object", "null"]]),
        (
            "verdict",
            object([
                ("signature", choice(["verified", "unverified", "invalid", "unsigned", "opaque"])),
                ("algorithm", nullableString), ("keyId", nullableString),
                ("contract", nullableString), ("reason", string),
            ])
        ),
        (
            "expiry",
            object([
                ("state", choice(TokenInspection.Expiry.allCases.map(\.rawValue))),
                ("issuedAt", nullableTime), ("notBefore", nullableTime),
                ("expiresAt", nullableTime), ("secondsLeft", nullableInteger),
            ])
        ), ("unchecked", array(object([("what", string), ("why", string)]))),
    ])
}
