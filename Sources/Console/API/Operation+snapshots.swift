import Simulator
import Web

/// OpenAPI operations for snapshots and for restoring to an event.
extension Operation {
    static let listSnapshots = Operation(
        "listSnapshots", "The workspace's snapshots, newest first.",
        query: [
            Parameter("name", Schema.string, "Those of this name."),
            Parameter("after", Schema.string, "\"next\" of the page before."),
            Parameter(
                "limit", ["type": "integer", "minimum": 1, "maximum": 500],
                "Items of a page; 50 without it."),
        ], responses: [ResponseSpec(200, "A page.", schema: Schema.list(of: "Snapshot"))])

    static let takeSnapshot = Operation(
        "takeSnapshot",
        "Keeps a device's storage and screens, of all its apps or of one, "
            + "and on the embedded backend the accounts, sessions, codes "
            + "and mail of their contracts. Without device the one of this cookie or header.",
        body: Schema.object(
            [
                (
                    "name",
                    [
                        "type": "string", "minLength": 1,
                        "maxLength": .int(Int64(Snapshot.maxNameLength)),
                    ]
                ), ("device", Schema.string), ("app", Schema.string),
            ], optional: ["device", "app"]),
        responses: [ResponseSpec(201, "Taken.", schema: Schema.reference("Snapshot"))])

    static let readSnapshot = Operation(
        "readSnapshot", "One snapshot.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("Snapshot"))])

    static let restoreSnapshot = Operation(
        "restoreSnapshot",
        "Puts device and server back to how they were; what came since is "
            + "gone. note says what that means for tokens.",
        responses: [
            ResponseSpec(
                200, "Put back.",
                schema: Schema.object(Schema.snapshotMembers + [("note", Schema.string)]))
        ])

    static let deleteSnapshot = Operation(
        "deleteSnapshot", "Forgets it.", responses: [ResponseSpec(204, "Gone.", mediaType: nil)])

    static let restoreToEvent = Operation(
        "restoreMoment",
        "Puts the app on the device of an event back to how it was right "
            + "after it: storage, session and screen. The device alone; "
            + "note says what the server makes of the refresh token it then "
            + "holds. The newest 200 states of an app on a device are kept.",
        responses: [
            ResponseSpec(
                200, "Put back.",
                schema: Schema.object([
                    ("event", Schema.integer), ("app", Schema.string),
                    ("device", Schema.string), ("screen", Schema.string),
                    ("note", Schema.string),
                ]))
        ])
}

extension Schema {
    static let snapshotMembers: [(String, JSON)] = [
        ("id", string), ("name", string), ("device", string),
        ("app", nullableString), ("apps", array(string)),
        ("contracts", array(string)), ("takenAt", time), ("bytes", integer),
    ]

    static let snapshot = object(snapshotMembers)
}
