extension Int {
    /// The value rounded toward zero and clamped to the range of `Int`; 0 for NaN.
    ///
    /// Used for numbers from outside, with which `Int(_:)` would trap.
    package init(clamping value: Double) {
        if value.isNaN {
            self = 0
        } else {
            self = Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        }
    }
}
