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
        var origin = Origin.signUp

        static let defaultAudience = "authenticated"

        init() {}

        /// Reads the stored form.
        init(_ json: JSON?) {
            audience = json?["audience"]?.string ?? Self.defaultAudience
            invitedAt = json?.timestamp("invitedAt")
            confirmationsLeft = (json?["confirmationsLeft"]?.int).map { Int($0) } ?? 0
            newPhone = json?["newPhone"]?.string
            phoneChangeSentAt = json?.timestamp("phoneChangeSentAt")
            reauthenticationSentAt = json?.timestamp("reauthenticationSentAt")
            deletedAt = json?.timestamp("deletedAt")
            origin = (json?["origin"]?.string).flatMap(Origin.init) ?? .signUp
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
                "deletedAt": time(deletedAt), "origin": .string(origin.rawValue),
            ])
        }
    }

    /// Whose request created an account. The raw value is stored.
    enum Origin: String, Sendable { case signUp, administrator }

    /// Ends a change of address or number that was confirmed. When its message was sent remains.
    mutating func endChange(ofPhone isPhone: Bool) {
        if isPhone {
            details.newPhone = nil
        } else {
            newEmail = nil
            details.confirmationsLeft = 0
        }
    }

    /// Forgets when messages were sent, because their links and codes were made invalid. An address
    /// or number that awaits its confirmation remains, for another message.
    mutating func forgetSentMessages() {
        confirmationSentAt = nil
        recoverySentAt = nil
        emailChangeSentAt = nil
        details.phoneChangeSentAt = nil
        details.reauthenticationSentAt = nil
    }
}
