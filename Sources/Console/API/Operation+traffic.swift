import Traffic
import Web

/// OpenAPI operations that import, compare and resend exchanges.
extension Operation {
    static let importExchanges = Operation(
        "importExchanges",
        "Imports all requests of a HAR or none, without passwords and with "
            + "encrypted tokens. Limits: \(HARFile.maxBytes >> 20) MiB, "
            + "\(HARFile.maxEntries) requests, \(HARFile.maxJSONValues) JSON values. "
            + "They are listed by the HAR's times; their retention starts now.",
        body: ["type": "object", "required": ["log"]],
        responses: [
            ResponseSpec(
                201,
                "The new exchanges' ids, in the HAR's order. Above the workspace's "
                    + "limit, only the `stored` newest ones are stored.",
                schema: Schema.object([
                    ("imported", Schema.integer), ("stored", Schema.integer),
                    ("exchanges", Schema.array(Schema.string)),
                ]))
        ])

    static let compareExchanges = Operation(
        "compareExchanges",
        "Compares two exchanges. Tokens are compared by value and masked in the result.",
        query: [
            Parameter("a", Schema.string, "The first exchange's id."),
            Parameter("b", Schema.string, "The second exchange's id."),
        ],
        responses: [
            ResponseSpec(
                200, "The differences by section.",
                schema: Schema.object([
                    ("a", Schema.string), ("b", Schema.string), ("equalExceptTiming", Schema.bool),
                    ("sections", Schema.array(diffSection)),
                ]))
        ])

    private static let diffSection = Schema.object([
        ("title", Schema.string), ("unchanged", Schema.integer),
        (
            "differences",
            Schema.array(
                Schema.object([
                    ("path", Schema.string),
                    ("kind", Schema.choice(ExchangeDiff.Kind.allCases.map(\.rawValue))),
                    ("a", Schema.nullableString), ("b", Schema.nullableString),
                ]))
        ),
    ])

    static let resendExchange = Operation(
        "resendExchange",
        "Resends a request, unchanged or edited, to the same server, "
            + "without affecting its device.",
        body: [
            "type": "object", "additionalProperties": false,
            "properties": [
                "edit": [
                    "type": "object", "additionalProperties": false,
                    "properties": [
                        "method": Schema.string, "path": Schema.string, "body": Schema.string,
                        "headers": Schema.array(
                            Schema.object([("name", Schema.string), ("value", Schema.string)])),
                    ],
                ],
                "password": [
                    "type": "string",
                    "description": "Replaces ‹password›: passwords are never recorded.",
                ],
            ],
        ], isBodyRequired: false,
        responses: [
            ResponseSpec(201, "The new exchange.", schema: Schema.reference("ExchangeDetail")),
            ResponseSpec(
                409, "The request cannot be resent.", mediaType: "application/problem+json"),
        ])
}
