import Core
import Web

extension Event {
    /// The representation in the event stream.
    var json: JSON {
        [
            "id": .int(id),
            "at": .string(at.iso8601),
            "kind": .string(kind.rawValue),
            "workspace": .string(workspace),
            "app": JSON(app),
            "device": JSON(device),
            "cause": cause.map(JSON.int) ?? .null,
            "subject": JSON(subject),
            "title": .string(title),
            "facts": .object(
                details.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
        ]
    }
}
