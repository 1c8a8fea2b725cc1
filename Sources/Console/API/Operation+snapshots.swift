import Simulator
import Web

/// OpenAPI operations for snapshots and for restoring to an event.
extension Operation {
    static let listSnapshots = Operation(
        "listSnapshots", "Lists the workspace's snapshots, newest first.",
        query: [
            Parameter("name", Schema.string, "Only snapshots with this name."),
            Parameter("after", Schema.string, "\"next\" of the previous page."),
            Parameter(
                "limit", ["type": "integer", "minimum": 1, "maximum": 500],
                "Page size; 50 by default."),
        ],
        responses: [
            ResponseSpec(200, "The list of snapshots.", schema: Schema.list(of: "Snapshot"))
        ])

    static let takeSnapshot = Operation(
        "takeSnapshot",
        "Stores a device's storage and screens, of all its apps or of one, "
            + "and the accounts, sessions, codes and mail of their contracts on "
            + "the embedded backend. By default of the cookie's or header's device.",
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
        responses: [ResponseSpec(201, "The new snapshot.", schema: Schema.reference("Snapshot"))])

    static let readSnapshot = Operation(
        "readSnapshot", "Returns one snapshot.",
        responses: [ResponseSpec(200, "The snapshot.", schema: Schema.reference("Snapshot"))])

    static let restoreSnapshot = Operation(
        "restoreSnapshot",
        "Restores device and server to a snapshot and discards later changes. "
            + "note describes the effect on tokens.",
        responses: [
            ResponseSpec(
                200, "The restored snapshot.",
                schema: Schema.object(Schema.snapshotMembers + [("note", Schema.string)]))
        ])

    static let deleteSnapshot = Operation(
        "deleteSnapshot", "Deletes a snapshot.",
        responses: [ResponseSpec(204, "The snapshot was deleted.", mediaType: nil)])

    static let restoreToEvent = Operation(
        "restoreToEvent",
        "Restores an event's app on its device to the state right after the "
            + "event: storage, session and screen. The server is unchanged; note "
            + "describes the status of the restored refresh token there. The newest "
            + "200 states of an app on a device are stored.",
        responses: [
            ResponseSpec(
                200, "The restored state.",
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
        ("contracts", array(string)), ("createdAt", time), ("bytes", integer),
    ]

    static let snapshot = object(snapshotMembers)
}
