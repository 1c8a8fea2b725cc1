import Core
import FoundationEssentials
import Simulator
import Web

extension Device {
    /// The list representation, without cookies.
    var json: JSON {
        [
            "id": .string(id),
            "label": .string(label),
            "build": .string(build.rawValue),
            "biometrics": [
                "kind": .string(biometrics.kind.rawValue), "enrolled": .bool(biometrics.isEnrolled),
                "next": .string(biometrics.nextResult.rawValue),
            ], "size": .string(display.size), "orientation": .string(display.orientation.rawValue),
            "appearance": .string(display.appearance.rawValue),
            "textSize": .string(display.textSize.rawValue), "createdAt": .string(createdAt.iso8601),
        ]
    }
}

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
            "details": .object(
                details.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
        ]
    }
}

extension Workspace {
    /// The API representation; `now` is the system time.
    func json(now: Date) -> JSON {
        [
            "id": .string(id),
            "label": .string(label),
            "createdAt": createdAt.timeIntervalSince1970 == 0
                ? .null : .string(createdAt.iso8601),
            "expiresAt": JSON(expiresAt?.iso8601),
            "clock": [
                "now": .string(clock.time(at: now).iso8601),
                "offset": .double((clock.offset * 1_000).rounded() / 1_000),
                "frozen": .bool(clock.frozenAt != nil),
            ],
        ]
    }
}

extension Snapshot {
    var json: JSON { .object(jsonMembers) }

    /// The members, to which a response to restoring adds its note.
    var jsonMembers: [JSON.Member] {
        [
            .init("id", .string(id)), .init("name", .string(name)),
            .init("device", .string(device)), .init("app", JSON(app)),
            .init("apps", .array(apps.map(JSON.string))),
            .init("contracts", .array(contracts.map(JSON.string))),
            .init("createdAt", .string(createdAt.iso8601)), .init("bytes", JSON(byteCount)),
        ]
    }
}

extension JSON {
    /// A cookie of this console in the format of Playwright's `storageState`.
    static func storageStateCookie(_ name: String, _ value: String, at host: String = "127.0.0.1")
        -> JSON
    {
        [
            "name": .string(name),
            "value": .string(value),
            "domain": .string(host),
            "path": "/",
            "expires": -1,
            "httpOnly": true,
            "secure": false,
            "sameSite": "Strict",
        ]
    }
}
