/// A value bound to a statement or read from a column.
package enum Value: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The text, or NULL.
    package static func text(_ value: String?) -> Value { value.map(Value.text) ?? .null }

    /// The number, or NULL.
    package static func integer(_ value: Int64?) -> Value { value.map(Value.integer) ?? .null }

    package static func integer(_ value: Int) -> Value { .integer(Int64(value)) }

    /// The number, or NULL.
    package static func real(_ value: Double?) -> Value { value.map(Value.real) ?? .null }

    package static func bool(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
}
