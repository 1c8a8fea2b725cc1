package import FoundationEssentials

extension Session.TokenSummary {
    /// A token somebody showed, taken apart without keeping or trusting it.
    package init(decoding token: String, at date: Date) { self.init(token: token, at: date) }
}
