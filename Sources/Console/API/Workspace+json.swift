import Core
import FoundationEssentials
import Simulator
import Web

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
