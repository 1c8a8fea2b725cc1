extension Exchange {
    /// The URL without scheme and authority; query included.
    package var path: String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        guard let slash = rest.firstIndex(where: { "/?".contains($0) }) else {
            return "/"
        }
        return String(rest[slash...])
    }
}
