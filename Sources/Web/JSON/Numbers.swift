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

extension Double {
    /// `0.02`, `171.20`: always two decimals, clamped to the range of `Int` hundredths.
    package var twoDecimals: String {
        let hundredths = Int(clamping: (self * 100).rounded())
        let fraction = (hundredths % 100).magnitude
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\((hundredths / 100).magnitude).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
