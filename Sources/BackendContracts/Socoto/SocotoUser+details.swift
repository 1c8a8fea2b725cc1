import Backend
import Web

extension SocotoUser {
    /// What the server stores of a user besides what most users have.
    struct Details: Sendable, Equatable {
        /// The audience of the user's tokens.
        var audience = Details.defaultAudience
        var invitedAt: Timestamp?
        /// How many addresses must still confirm a change of address.
        var confirmationsLeft = 0
        /// A number that awaits its confirmation, in E.164.
        var newPhone: String?
        var phoneChangeSentAt: Timestamp?
        var reauthenticationSentAt: Timestamp?
        /// When an administrator deleted the user but kept its id.
        var deletedAt: Timestamp?

        static let defaultAudience = "authenticated"

        init() {}

        /// Reads the stored form.
        init(_ json: JSON?) {
            func time(_ name: String) -> Timestamp? {
                (json?[name]?.int).map(Timestamp.init(milliseconds:))
            }
            audience = json?["audience"]?.string ?? Self.defaultAudience
            invitedAt = time("invitedAt")
            confirmationsLeft = (json?["confirmationsLeft"]?.int).map { Int($0) } ?? 0
            newPhone = json?["newPhone"]?.string
            phoneChangeSentAt = time("phoneChangeSentAt")
            reauthenticationSentAt = time("reauthenticationSentAt")
            deletedAt = time("deletedAt")
        }

        /// The stored form; nil if everything has its default.
        var json: JSON? {
            guard self != Details() else { return nil }
            func time(_ timestamp: Timestamp?) -> JSON? {
                (timestamp?.milliseconds).map(JSON.int)
            }
            return .omittingNil([
                "audience": .string(audience), "invitedAt": time(invitedAt),
                "confirmationsLeft": .int(Int64(confirmationsLeft)),
                "newPhone": newPhone.map(JSON.string),
                "phoneChangeSentAt": time(phoneChangeSentAt),
                "reauthenticationSentAt": time(reauthenticationSentAt),
                "deletedAt": time(deletedAt),
            ])
        }
    }

    /// Ends a change of address or number that awaits its confirmation.
    mutating func endChange(ofPhone isPhone: Bool) {
        if isPhone {
            details.newPhone = nil
            details.phoneChangeSentAt = nil
        } else {
            newEmail = nil
            emailChangeSentAt = nil
            details.confirmationsLeft = 0
        }
    }
}
