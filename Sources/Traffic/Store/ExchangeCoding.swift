import Web

/// Encodes string lists and header fields as JSON column texts, and decodes them.
enum ExchangeCoding {
    static func list(_ values: [String]) -> String {
        JSON.array(values.map(JSON.string)).description
    }

    static func list(_ text: String) -> [String] {
        guard case .array(let elements)? = try? JSON(parsing: text) else { return [] }
        return elements.compactMap(\.string)
    }

    /// `[["Name","value"],…]`: keeps order and repetitions.
    static func headers(_ headers: Headers) -> String {
        JSON.array(headers.fields.map { [.string($0.name), .string($0.value)] }).description
    }

    static func headers(_ text: String) -> Headers {
        guard case .array(let pairs)? = try? JSON(parsing: text) else { return [:] }
        var headers = Headers()
        for pair in pairs {
            guard let name = pair[0]?.string, let value = pair[1]?.string else { continue }
            headers.add(name, value)
        }
        return headers
    }
}
