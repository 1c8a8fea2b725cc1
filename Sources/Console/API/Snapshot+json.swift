import Simulator
import Web

extension Snapshot {
    var json: JSON { .object(jsonMembers) }

    /// The members, to which a response to restoring adds its note.
    var jsonMembers: [JSON.Member] {
        [
            .init("id", .string(id)), .init("name", .string(name)),
            .init("device", .string(device)), .init("app", JSON(app)),
            .init("apps", .array(apps.map(JSON.string))),
            .init("contracts", .array(contracts.map(JSON.string))),
            .init("takenAt", .string(createdAt.iso8601)), .init("bytes", JSON(byteCount)),
        ]
    }
}
