import Simulator
import Web

/// What the API gives of one session and of a token that was shown.
extension Schema {
    private static let answer = object([
        ("at", time), ("exchange", string), ("call", string), ("status", nullableInteger),
        ("accepted", ["type": ["boolean", "null"]]),
    ])

    private static let sides: [(String, JSON)] = [
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
                        [("fact", string)] + sides + [("agrees", ["type": ["boolean", "null"]])]))
            ),
            (
                "disagreements",
                array(
                    object(
                        [
                            ("fact", string),
                            ("kind", choice(Disagreement.Kind.allCases.map(\.rawValue))),
                            ("odd", choice(["stored", "claimed", "known"])),
                        ] + sides + [("why", string), ("mend", string)]))
            ), ("lastAnswer", nullable(answer)),
            (
                "keptTokens",
                array(
                    object([
                        ("number", integer),
                        ("kind", choice(KeptToken.Kind.allCases.map(\.rawValue))),
                        ("generation", integer), ("name", string),
                        ("serverGeneration", nullableInteger),
                        ("branch", choice(KeptToken.Branch.allCases.map(\.rawValue))),
                        ("masked", string), ("expiresAt", nullableTime),
                        ("exchange", nullableString),
                    ]))
            ),
        ])

    static let tokenReading = object([
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
                ("state", choice(TokenReading.Expiry.allCases.map(\.rawValue))),
                ("issuedAt", nullableTime), ("notBefore", nullableTime),
                ("expiresAt", nullableTime), ("secondsLeft", nullableInteger),
            ])
        ), ("unchecked", array(object([("what", string), ("why", string)]))),
    ])
}
