extension Double {
    /// `0.02`, `171.20`: always two decimals, clamped to the range of `Int` hundredths.
    package var twoDecimals: String {
        let hundredths = Int(clamping: (self * 100).rounded())
        let fraction = (hundredths % 100).magnitude
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\((hundredths / 100).magnitude).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
