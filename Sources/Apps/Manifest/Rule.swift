/// A condition on a field's value and the message shown when it is not met.
package struct Rule: Sendable, Equatable {
    package var test: Test
    package var message: String
    /// Also shown while typing, not only on submit.
    package var isLive: Bool

    package enum Test: Sendable, Equatable {
        /// Not empty; for a toggle: on.
        case required
        /// The entire value matches.
        case pattern(Pattern)
        /// Minimum number of characters (Unicode scalars).
        case min(Int)
        case max(Int)
        /// Equal to another field's value.
        case same(field: String)
        /// One of these.
        case oneOf([String])
    }
}
