extension Int {
    /// The whole number nearest to zero of `value`, or the end of the range
    /// it lies beyond; 0 for what is no number.
    ///
    /// Numbers from outside come this way: `Int(_:)` would end the process.
    package init(clamping value: Double) {
        if value.isNaN {
            self = 0
        } else {
            self = Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        }
    }
}
