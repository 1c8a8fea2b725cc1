import Inspection
import Simulator
import Web

/// Schemas of a session's details and of an inspected token.
extension Schema {
    private static let lastResponse = object([
        ("at", time), ("exchange", string), ("call", string), ("status", nullableInteger),
        ("accepted", ["type": ["boolean", "null"]]),
    ])

    private static let comparedValues: [(String, JSON)] = [
        ("device", nullableString), ("token", nullableString), ("server", nullableString),
    ]

    private static let family = object([
        ("id", string), ("generation", integer), ("revokedAt", nullableTime),
        ("revocationReason", nullableString),
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
                "comparison",
                array(
                    object(
                        [("field", string)] + comparedValues + [
                            ("agrees", ["type": ["boolean", "null"]])
                        ]))
            ),
            (
                "discrepancies",
                array(
                    object(
                        [
                            ("field", string),
                            ("kind", choice(Discrepancy.Kind.allCases.map(\.rawValue))),
                            ("outlier", choice(["device", "token", "server"])),
                        ] + comparedValues + [("explanation", string), ("fix", string)]))
            ), ("lastResponse", nullable(lastResponse)),
            (
                "archivedTokens",
                array(
                    object([
                        ("number", integer),
                        ("kind", choice(ArchivedToken.Kind.allCases.map(\.rawValue))),
                        ("generation", integer), ("name", string),
                        ("serverGeneration", nullableInteger),
                        ("origin", choice(ArchivedToken.Origin.allCases.map(\.rawValue))),
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
        ), ("unchecked", array(object([("name", string), ("reason", string)]))),
    ])
}
