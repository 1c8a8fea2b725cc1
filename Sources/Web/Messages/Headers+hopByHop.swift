extension Headers {
    /// The fields without those of a single connection (RFC 9110, 7.6.1), those that `Connection`
    /// names included, and without the body's framing, which the sender of the next hop sets
    /// itself.
    package func withoutHopByHopFields() -> Headers {
        let connectionOptions = all("Connection").flatMap { value in
            value.split(separator: ",").map { String($0.trimmingBlanks).lowercased() }
        }
        return Headers(
            fields.filter { field in
                let name = field.name.lowercased()
                return !Self.hopByHopNames.contains(name) && !connectionOptions.contains(name)
            })
    }

    private static let hopByHopNames: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate",
        "proxy-authorization", "te", "trailer", "transfer-encoding",
        "upgrade", "http2-settings", "content-length",
    ]
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
