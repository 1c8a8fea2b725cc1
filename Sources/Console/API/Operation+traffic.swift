import Traffic
import Web

/// OpenAPI operations that import, compare and resend exchanges.
extension Operation {
    static let importExchanges = Operation(
        "importExchanges",
        "Takes an HTTP Archive: its exchanges are recorded as imported, "
            + "passwords taken out, tokens sealed. All or nothing, of at most "
            + "\(HARFile.maxBytes >> 20) MiB, \(HARFile.maxEntries) exchanges and "
            + "\(HARFile.maxJSONValues) values of JSON. How long they are kept is "
            + "counted from now, whatever the archive's own times; listed "
            + "they are in the order of those.", body: ["type": "object", "required": ["log"]],
        responses: [
            ResponseSpec(
                201,
                "The new exchanges' ids, in the archive's order; of more than "
                    + "a workspace keeps, the `kept` sent last are there.",
                schema: Schema.object([
                    ("imported", Schema.integer), ("kept", Schema.integer),
                    ("exchanges", Schema.array(Schema.string)),
                ]))
        ])

    static let compareExchanges = Operation(
        "compareExchanges",
        "What differs between two exchanges; tokens are compared by value and shown masked.",
        query: [
            Parameter("a", Schema.string, "The first exchange's id."),
            Parameter("b", Schema.string, "The second's."),
        ],
        responses: [
            ResponseSpec(
                200, "Section by section.",
                schema: Schema.object([
                    ("a", Schema.string), ("b", Schema.string), ("same", Schema.bool),
                    ("sections", Schema.array(diffSection)),
                ]))
        ])

    private static let diffSection = Schema.object([
        ("title", Schema.string), ("same", Schema.integer),
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
        "Sends the request again, as it was or edited, to the same server. "
            + "The device it came from is not told.",
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
                    "description": "Goes where ‹password› stands: passwords are never recorded.",
                ],
            ],
        ], isBodyRequired: false,
        responses: [
            ResponseSpec(201, "The new exchange.", schema: Schema.reference("ExchangeDetail")),
            ResponseSpec(
                409, "It cannot be sent from here.", mediaType: "application/problem+json"),
        ])
}
