import Traffic
import Web

/// OpenAPI operations for injected faults.
extension Operation {
    static let listFaults = Operation(
        "listFaults", "Lists active faults in the order in which they apply.",
        responses: [ResponseSpec(200, "The list of faults.", schema: Schema.list(of: "Fault"))])

    static let listFaultPresets = Operation(
        "listFaultPresets", "Lists the fault presets.",
        responses: [
            ResponseSpec(200, "The list of presets.", schema: Schema.list(of: "FaultPreset"))
        ])

    static let readFault = Operation(
        "readFault", "Returns one active fault.",
        responses: [ResponseSpec(200, "The fault.", schema: Schema.reference("Fault"))])

    static let createFault = Operation(
        "createFault", "Adds a fault by its kind, or the faults of a preset.",
        body: Schema.object(
            [
                ("preset", Schema.choice(Fault.presets.map(\.id))),
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
                "preset", "kind", "app", "device", "call", "times", "phase", "status", "body",
                "headers", "delay", "retryAfter", "skew",
            ]),
        responses: [
            ResponseSpec(
                201, "The new fault, or the list of the preset's faults.",
                schema: ["anyOf": [Schema.reference("Fault"), Schema.list(of: "Fault")]]),
            ResponseSpec(
                409, "The workspace has too many faults.", mediaType: "application/problem+json"),
        ])

    static let deleteFault = Operation(
        "deleteFault", "Turns off a fault.",
        responses: [ResponseSpec(204, "The fault was turned off.", mediaType: nil)])

    static let deleteFaults = Operation(
        "deleteFaults", "Turns off all faults of the workspace, or those of one preset.",
        query: [
            Parameter(
                "preset", Schema.choice(Fault.presets.map(\.id)),
                "Only the faults of this preset.")
        ], responses: [ResponseSpec(204, "The faults were turned off.", mediaType: nil)])
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
            ("applied", integer), ("remaining", nullableInteger),
            ("preset", nullableString),
            (
                "lastAffected",
                nullable(
                    object([
                        ("exchange", string), ("call", string), ("at", time),
                    ]))
            ),
            ("text", string), ("createdAt", time),
        ])

    static let faultPreset = object([
        ("id", string), ("name", string), ("text", string),
        ("faults", array(object(faultMembers))),
    ])
}
