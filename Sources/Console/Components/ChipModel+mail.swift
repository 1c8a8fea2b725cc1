import Backend
import FoundationEssentials

extension ChipModel {
    /// What became of a mail's link or code; nil when it holds neither.
    init?(usageOf mail: Mail, now: Date) {
        guard mail.link != nil || mail.code != nil else { return nil }
        let thing = mail.code == nil ? "link" : "code"
        if let used = mail.usedAt {
            self.init(
                text: "\(thing.capitalizedFirst) used \(Format.dateTime(used))", tone: .ok,
                chipIcon: "check")
        } else if let end = mail.expiresAt, end <= now {
            self.init(text: "\(thing) expired", tone: .warn, chipIcon: nil)
        } else if let end = mail.expiresAt {
            let left = Format.duration(end.timeIntervalSince(now))
            self.init(text: "\(thing) \(left) left", tone: .accent)
        } else {
            self.init(text: "\(thing) not used", tone: .accent)
        }
    }
}
