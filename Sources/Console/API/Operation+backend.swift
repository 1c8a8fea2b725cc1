import Web

/// OpenAPI operations for the embedded backend.
extension Operation {
    static let readBackend = Operation(
        "readBackend", "Returns the settings for clients of the embedded backend: URLs and keys.",
        responses: [
            ResponseSpec(
                200, "The settings of all contracts.",
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
        "updateBackend", "Sets switches of a contract.",
        body: Schema.object(
            [("switches", ["type": "object", "additionalProperties": Schema.bool])],
            optional: ["switches"]),
        responses: [ResponseSpec(200, "The updated contract.", schema: Schema.reference("Service"))]
    )
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

/// OpenAPI operations for the workspace's clock.
extension Operation {
    static let readClock = Operation(
        "readClock", "Returns the workspace's clock.",
        responses: [ResponseSpec(200, "The clock.", schema: Schema.reference("Clock"))])

    static let setClock = Operation(
        "setClock",
        """
        Moves or freezes the workspace's clock, which tokens, codes, rate limits \
        and countdowns follow. Takes one of offset, advance and at.
        """,
        body: Schema.object(
            [
                ("offset", Schema.number), ("advance", Schema.number), ("at", Schema.time),
                ("freeze", Schema.bool),
            ], optional: ["offset", "advance", "at", "freeze"]),
        responses: [ResponseSpec(200, "The updated clock.", schema: Schema.reference("Clock"))])
}

extension Schema {
    /// `offset` is in seconds; `note` names the backends whose clocks do not follow.
    static let clock = object([
        ("now", time), ("real", time), ("offset", number), ("frozen", bool),
        ("note", nullableString),
    ])
}
