/// A mail domain whose addresses may register with the Micronaut server.
struct SchoolDomain: Sendable, Hashable {
    let name: String

    /// Nil for any other domain.
    init?(of address: EmailAddress) {
        let name = address.text.split(separator: "@").last.map(String.init)
        guard let name, Self.allowedDomains.contains(name) else { return nil }
        self.name = name
    }

    private static let allowedDomains: Set<String> = Set(
        [
            "harvard", "yale", "princeton", "upenn", "dartmouth", "brown",
            "columbia", "cornell", "mit", "stanford", "berkeley", "caltech",
            "cmu", "nyu", "northwestern", "duke", "chicago", "jhu", "penn",
        ].map { $0 + ".edu" }
            + ["ox", "cam", "lse", "ucl", "ic"].map { $0 + ".ac.uk" })
}
