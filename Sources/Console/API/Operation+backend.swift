import Web

/// OpenAPI operations for the embedded backend.
extension Operation {
    static let readBackend = Operation(
        "readBackend", "What clients of the embedded backend must know: addresses and keys.",
        responses: [
            ResponseSpec(
                200, "All contracts.",
                schema: Schema.object([
                    ("base", Schema.string),
                    (
                        "contracts",
                        ["type": "object", "additionalProperties": Schema.reference("Service")]
                    ),
                    (
                        "clients",
                        [
                            "type": "object",
                            "additionalProperties": [
                                "type": "object", "additionalProperties": Schema.string,
                            ],
                        ]
                    ),
                ]))
        ])

    static let updateBackend = Operation(
        "updateBackend", "Turns switches of a contract on and off.",
        body: Schema.object(
            [("switches", ["type": "object", "additionalProperties": Schema.bool])],
            optional: ["switches"]),
        responses: [ResponseSpec(200, "As it is now.", schema: Schema.reference("Service"))])
}

extension Schema {
    static let service = object([
        ("base", string), ("root", nullableString),
        (
            "switches",
            ["type": "object", "additionalProperties": object([("on", bool), ("text", string)])]
        ),
    ])
}
