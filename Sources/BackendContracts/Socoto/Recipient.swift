import Backend

/// Where a code or link is sent.
enum Recipient: Sendable, Equatable {
    /// A normalized address.
    case email(String)
    /// A number in E.164.
    case phone(String)

    var text: String {
        switch self {
        case .email(let text), .phone(let text): text
        }
    }

    /// The provider of the identity that it makes.
    var provider: String {
        switch self {
        case .email: "email"
        case .phone: "phone"
        }
    }
}

extension Account {
    /// Whether its address, or its number, is confirmed.
    func isConfirmed(_ recipient: Recipient) -> Bool {
        switch recipient {
        case .email: emailVerifiedAt != nil
        case .phone: phoneVerifiedAt != nil
        }
    }
}
