import Traffic
import Web

/// OpenAPI operations for injected faults.
extension Operation {
    static let listFaults = Operation(
        "listConditions", "Active conditions, in the order they strike.",
        responses: [ResponseSpec(200, "All.", schema: Schema.list(of: "Condition"))])

    static let listFaultPresets = Operation(
        "listConditionSets", "Named sets of conditions, for `set`.",
        responses: [ResponseSpec(200, "All.", schema: Schema.list(of: "ConditionSet"))])

    static let readFault = Operation(
        "readCondition", "One condition that is active.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("Condition"))])

    static let createFault = Operation(
        "createCondition", "Makes a condition by its kind, or several by the name of a set.",
        body: Schema.object(
            [
                ("set", Schema.choice(Fault.presets.map(\.id))),
                ("kind", Schema.choice(Fault.Kind.allCases.map(\.rawValue))),
                ("app", Schema.nullableString), ("device", Schema.nullableString),
                ("call", Schema.nullableString),
                (
                    "times",
                    [
                        "type": ["integer", "null"], "minimum": 1,
                        "maximum": JSON(Fault.Draft.maxTimes),
                    ]
                ), ("phase", Schema.choice(Fault.Phase.allCases.map(\.rawValue))),
                ("status", ["type": ["integer", "null"], "minimum": 200, "maximum": 599]),
                ("body", Schema.nullableString),
                ("headers", ["type": ["object", "null"], "additionalProperties": Schema.string]),
                (
                    "delay",
                    [
                        "type": ["number", "null"], "exclusiveMinimum": 0,
                        "maximum": .double(Fault.Draft.maxDelay),
                    ]
                ), ("retryAfter", ["type": ["integer", "null"], "minimum": 0, "maximum": 86_400]),
                ("skew", Schema.nullableInteger),
            ],
            optional: [
                "set", "kind", "app", "device", "call", "times", "phase", "status", "body",
                "headers", "delay", "retryAfter", "skew",
            ]),
        responses: [
            ResponseSpec(
                201, "Made: the condition, or the list of a set's.",
                schema: ["anyOf": [Schema.reference("Condition"), Schema.list(of: "Condition")]]),
            ResponseSpec(
                409, "The workspace holds too many.", mediaType: "application/problem+json"),
        ])

    static let deleteFault = Operation(
        "endCondition", "Ends one now.", responses: [ResponseSpec(204, "Done.", mediaType: nil)])

    static let deleteFaults = Operation(
        "endConditions", "Ends all of this workspace, or those of one set.",
        query: [
            Parameter(
                "set", Schema.choice(Fault.presets.map(\.id)),
                "Only those that came with this set.")
        ], responses: [ResponseSpec(204, "Done.", mediaType: nil)])
}

extension Schema {
    private static let faultMembers: [(String, JSON)] = [
        ("kind", choice(Fault.Kind.allCases.map(\.rawValue))),
        ("app", nullableString), ("device", nullableString),
        ("call", nullableString), ("times", nullableInteger),
        ("phase", choice(Fault.Phase.allCases.map(\.rawValue))),
        ("status", nullableInteger), ("body", nullableString),
        ("headers", ["type": "object", "additionalProperties": string]),
        ("delay", nullableNumber), ("retryAfter", nullableInteger),
        ("skew", nullableInteger),
    ]

    static let fault = object(
        [("id", string)] + faultMembers + [
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

    static let faultPreset = object([
        ("id", string), ("name", string), ("text", string),
        ("conditions", array(object(faultMembers))),
    ])
}
