/// A captured value as a template sees it: text, or values by name.
package enum CapturedValue: Encodable, Sendable, Equatable {
    /// Numbers come as their text, so that 0 is something to show.
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

/// A single captured value and where it is: `user.email`.
package struct CapturedText: Encodable, Sendable, Equatable {
    package var name: String
    package var text: String
}
