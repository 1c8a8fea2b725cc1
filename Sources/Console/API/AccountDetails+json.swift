import Backend
import FoundationEssentials
import Web

extension EmbeddedBackend.AccountDetails {
    /// The list representation.
    var json: JSON { .object(jsonMembers) }

    /// The detail representation, with each administrator action's availability and explanation.
    func fullJSON(_ backend: EmbeddedBackend) -> JSON {
        .object(
            jsonMembers + [
                .init(
                    "actions",
                    .object(
                        AdminAction.allCases.map { action in
                            let rule = backend.availability(
                                action, contract: contract, isDevice: deviceID != nil)
                            return .init(
                                action.rawValue,
                                [
                                    "available": .bool(rule.isAvailable),
                                    "text": .string(rule.explanation),
                                ])
                        }))
            ])
    }

    var jsonMembers: [JSON.Member] {
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
            .init("sessions", JSON(activeSessionCount)),
            .init(
                "accessTokenTTL",
                accessTokenTTL.map { .int(Int64($0)) } ?? .null),
        ]
    }
}
