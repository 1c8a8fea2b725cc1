package import FoundationEssentials

/// A caught mail.
package struct Mail: Sendable, Equatable {
    package var id: String
    package var sequence: Int64
    package var workspace: String
    /// The contract that sent it.
    package var app: String
    package var to: String
    package var subject: String
    /// `verify`, `reset`, `login` …
    package var purpose: String
    package var code: String?
    package var link: String?
    package var expiresAt: Date?
    package var usedAt: Date?
    package var sentAt: Date
    package var text: String
    package var html: String
    /// Header fields as sent, in order.
    package var headers: [(name: String, value: String)]

    package static func == (lhs: Mail, rhs: Mail) -> Bool {
        lhs.id == rhs.id && lhs.usedAt == rhs.usedAt
    }
}
