/// Comparing secrets without telling by the time how far they agree.
enum ConstantTime {
    /// Looks at every byte of `offered`, whatever `secret` is.
    static func equal(_ offered: String, _ secret: String) -> Bool {
        let offered = Array(offered.utf8)
        let secret = Array(secret.utf8)
        var difference = UInt8(offered.count == secret.count ? 0 : 1)
        for (index, byte) in offered.enumerated() {
            let other = secret.isEmpty ? 0 : secret[index % secret.count]
            difference |= byte ^ other
        }
        return difference == 0
    }
}
