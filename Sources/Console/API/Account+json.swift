import Backend
import FoundationEssentials
import Web

extension EmbeddedBackend.KnownAccount {
    /// As lists give it.
    var json: JSON { .object(members) }

    /// With what can be done to it, and what follows from that.
    func fullJSON(_ backend: EmbeddedBackend) -> JSON {
        .object(
            members + [
                .init(
                    "acts",
                    .object(
                        AccountAct.allCases.map { act in
                            let rule = backend.rule(
                                act, contract: contract, isDevice: deviceID != nil)
                            return .init(
                                act.rawValue,
                                ["possible": .bool(rule.isPossible), "text": .string(rule.text)])
                        }))
            ])
    }

    var members: [JSON.Member] {
        [
            .init("id", .string(id)),
            .init("app", .string(contract)),
            .init("email", JSON(email)),
            .init("deviceId", JSON(deviceID)),
            .init("displayName", JSON(displayName)),
            .init("state", .string(state.rawValue)),
            .init("verifiedAt", JSON(emailVerifiedAt?.iso8601)),
            .init("disabledAt", JSON(disabledAt?.iso8601)),
            .init("lockedUntil", JSON(lockedUntil?.iso8601)),
            .init("hasPassword", .bool(hasPassword)),
            .init("createdAt", .string(createdAt.iso8601)),
            .init("lastLoginAt", JSON(lastLoginAt?.iso8601)),
            .init("sessions", JSON(sessions)),
            .init(
                "accessTokenTTL",
                accessTokenTTL.map { .int(Int64($0)) } ?? .null),
        ]
    }
}
