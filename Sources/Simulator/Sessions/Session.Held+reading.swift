package import FoundationEssentials

extension Session.Held {
    /// A token somebody showed, taken apart without keeping or trusting it.
    package init(reading token: String, at date: Date) { self.init(token: token, at: date) }
}
