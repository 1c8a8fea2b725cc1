import Backend
import FoundationEssentials
import Web

/// A short text with a tone: a verdict, a cause, a fault.
struct ChipModel: Encodable, Sendable {
    var text: String
    var tone: Tone
    /// A symbol of `icons.svg`; nil for none.
    var chipIcon: String?

    /// Green, amber and red are for verdicts and states only.
    enum Tone: String, Encodable, Sendable {
        case neutral, ok, warn, bad, accent

        /// The tone of a dot in a list, which is gray for `neutral`.
        var dot: String { self == .neutral ? "none" : rawValue }
    }
}

extension ChipModel {
    /// A token after its expiry.
    static let expired = ChipModel(text: "Expired", tone: .bad, chipIcon: "clock")
    /// A token whose session the server has ended.
    static let sessionRevoked = ChipModel(text: "Session revoked", tone: .bad, chipIcon: "cross")

    /// The usage of a mail's link or code; nil if it has neither.
    init?(usageOf mail: Mail, now: Date) {
        guard mail.link != nil || mail.code != nil else { return nil }
        let kind = mail.code == nil ? "Link" : "Code"
        if let used = mail.usedAt {
            self.init(text: "\(kind) used \(Format.dateTime(used))", tone: .ok, chipIcon: "check")
        } else if mail.isReceived {
            self.init(text: kind, tone: .neutral)
        } else if let end = mail.expiresAt, end <= now {
            self.init(text: "\(kind) expired", tone: .warn, chipIcon: nil)
        } else if let end = mail.expiresAt {
            let remaining = Format.duration(end.timeIntervalSince(now))
            self.init(text: "\(kind) \(remaining) left", tone: .accent)
        } else {
            self.init(text: "\(kind) not used", tone: .accent)
        }
    }
}

/// A label and a value, one line of a list of details.
struct DetailModel: Encodable, Sendable {
    var label: String
    var value: String
    /// Whether it is set in a monospaced font.
    var isCode: Bool
    /// The value's link; nil for plain text.
    var valueURL: String?

    init(_ label: String, _ value: String, isCode: Bool = false, url: String? = nil) {
        self.label = label
        self.value = value
        self.isCode = isCode
        valueURL = url
    }

    /// The members of a token's header; at most 24, because a foreign token may have any number.
    static func list(_ object: JSON?) -> [DetailModel] {
        guard case .object(let members)? = object else { return [] }
        return members.prefix(24).map { DetailModel($0.name, $0.value.displayText, isCode: true) }
    }
}
