import Traffic
import Web

/// What OpenAPI says of the calls about conditions.
extension Operation {
    static let listConditions = Operation(
        "listConditions", "Active conditions, in the order they strike.",
        answers: [Answer(200, "All.", schema: Schema.list(of: "Condition"))])

    static let listConditionSets = Operation(
        "listConditionSets", "Named sets of conditions, for `set`.",
        answers: [Answer(200, "All.", schema: Schema.list(of: "ConditionSet"))])

    static let readCondition = Operation(
        "readCondition", "One condition that is active.",
        answers: [Answer(200, "It.", schema: Schema.named("Condition"))])

    static let createCondition = Operation(
        "createCondition", "Makes a condition by its kind, or several by the name of a set.",
        body: Schema.object(
            [
                ("set", Schema.choice(Condition.sets.map(\.id))),
                ("kind", Schema.choice(Condition.Kind.allCases.map(\.rawValue))),
                ("app", Schema.nullableString), ("device", Schema.nullableString),
                ("call", Schema.nullableString),
                (
                    "times",
                    [
                        "type": ["integer", "null"], "minimum": 1,
                        "maximum": JSON(Condition.Draft.mostTimes),
                    ]
                ), ("phase", Schema.choice(Condition.Phase.allCases.map(\.rawValue))),
                ("status", ["type": ["integer", "null"], "minimum": 200, "maximum": 599]),
                ("body", Schema.nullableString),
                ("headers", ["type": ["object", "null"], "additionalProperties": Schema.string]),
                (
                    "delay",
                    [
                        "type": ["number", "null"], "exclusiveMinimum": 0,
                        "maximum": .double(Condition.Draft.longestDelay),
                    ]
                ), ("retryAfter", ["type": ["integer", "null"], "minimum": 0, "maximum": 86_400]),
                ("skew", Schema.nullableInteger),
            ],
            optional: [
                "set", "kind", "app", "device", "call", "times", "phase", "status", "body",
                "headers", "delay", "retryAfter", "skew",
            ]),
        answers: [
            Answer(
                201, "Made: the condition, or the list of a set's.",
                schema: ["anyOf": [Schema.named("Condition"), Schema.list(of: "Condition")]]),
            Answer(409, "The workspace holds too many.", type: "application/problem+json"),
        ])

    static let endCondition = Operation(
        "endCondition", "Ends one now.", answers: [Answer(204, "Done.", type: nil)])

    static let endConditions = Operation(
        "endConditions", "Ends all of this workspace, or those of one set.",
        query: [
            Parameter(
                "set", Schema.choice(Condition.sets.map(\.id)),
                "Only those that came with this set.")
        ], answers: [Answer(204, "Done.", type: nil)])
}

extension Schema {
    private static let made: [(String, JSON)] = [
        ("kind", choice(Condition.Kind.allCases.map(\.rawValue))),
        ("app", nullableString), ("device", nullableString),
        ("call", nullableString), ("times", nullableInteger),
        ("phase", choice(Condition.Phase.allCases.map(\.rawValue))),
        ("status", nullableInteger), ("body", nullableString),
        ("headers", ["type": "object", "additionalProperties": string]),
        ("delay", nullableNumber), ("retryAfter", nullableInteger),
        ("skew", nullableInteger),
    ]

    static let condition = object(
        [("id", string)] + made + [
            ("used", integer), ("left", nullableInteger),
            ("set", nullableString),
            (
                "lastUse",
                nullable(
                    object([
                        ("exchange", string), ("call", string), ("at", time),
                    ]))
            ),
            ("text", string), ("madeAt", time),
        ])

    static let conditionSet = object([
        ("id", string), ("name", string), ("text", string), ("conditions", array(object(made))),
    ])
}
