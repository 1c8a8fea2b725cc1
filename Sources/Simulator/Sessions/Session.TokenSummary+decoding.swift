package import FoundationEssentials

extension Session.TokenSummary {
    /// Decodes a submitted token without storing or verifying it.
    package init(decoding token: String, at date: Date) { self.init(token: token, at: date) }
}
