/// A captured value for templates: text, a list, or values by name.
package enum CapturedValue: Encodable, Sendable, Equatable {
    /// Numbers are converted to text, so that templates show 0.
    case text(String)
    case list([CapturedValue])
    case object([String: CapturedValue])

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// A captured scalar value with its path: `user.email`.
package struct CapturedText: Encodable, Sendable, Equatable {
    package var name: String
    package var text: String
}
