/// What a field's value must be, and what the user reads if it is not.
package struct Rule: Sendable, Equatable {
    package var test: Test
    package var message: String
    /// Shown while typing too, not only when the form is sent.
    package var isLive: Bool

    package enum Test: Sendable, Equatable {
        /// Not empty; for a toggle: on.
        case required
        /// The whole value matches.
        case pattern(Pattern)
        /// At least so many characters (Unicode scalars).
        case min(Int)
        case max(Int)
        /// Equal to another field's value.
        case same(field: String)
        /// One of these.
        case oneOf([String])
    }
}
