import Traffic
import Web

/// The API representation; `text` describes the fault in a sentence.
extension Fault {
    var json: JSON {
        var members: [JSON.Member] = [.init("id", .string(id))]
        members += draft.jsonMembers
        members += [
            .init("applied", JSON(appliedCount)), .init("remaining", JSON(remaining)),
            .init("preset", JSON(presetID)),
            .init(
                "lastAffected",
                lastAffected.map {
                    [
                        "exchange": .string($0.exchangeID), "call": .string($0.call),
                        "at": .string($0.at.iso8601),
                    ]
                } ?? .null), .init("text", .string(sentence(app: draft.app, device: draft.device))),
            .init("createdAt", .string(createdAt.iso8601)),
        ]
        return .object(members)
    }
}

extension Fault.Preset {
    var json: JSON {
        [
            "id": .string(id), "name": .string(name), "text": .string(summary),
            "faults": .array(drafts.map { .object($0.jsonMembers) }),
        ]
    }
}

extension Fault.Draft {
    fileprivate var jsonMembers: [JSON.Member] {
        [
            .init("kind", .string(kind.rawValue)), .init("app", JSON(app)),
            .init("device", JSON(device)), .init("call", JSON(call)),
            .init("times", JSON(times)),
            .init("phase", .string(phase.rawValue)),
            .init("status", JSON(status)), .init("body", JSON(body)),
            .init(
                "headers",
                .object(headers.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
            ), .init("delay", delay.map(JSON.double) ?? .null),
            .init("retryAfter", JSON(retryAfter)), .init("skew", JSON(skew)),
        ]
    }
}
