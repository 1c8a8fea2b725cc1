extension Double {
    /// `0.02`, `171.20`: always two decimals, however large it is.
    package var twoDecimals: String {
        let hundredths = Int(clamping: (self * 100).rounded())
        let rest = (hundredths % 100).magnitude
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\((hundredths / 100).magnitude).\(rest < 10 ? "0" : "")\(rest)"
    }
}
