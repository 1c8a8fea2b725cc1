import Backend
import FoundationEssentials

extension ChipModel {
    /// The usage of a mail's link or code; nil if it has neither.
    init?(usageOf mail: Mail, now: Date) {
        guard mail.link != nil || mail.code != nil else { return nil }
        let kind = mail.code == nil ? "link" : "code"
        if let used = mail.usedAt {
            self.init(
                text: "\(kind.capitalizedFirst) used \(Format.dateTime(used))", tone: .ok,
                chipIcon: "check")
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
