/// Secret comparison whose duration does not depend on how many bytes agree.
package enum ConstantTime {
    /// Compares every byte of `offered`, independent of `secret`.
    package static func areEqual(_ offered: String, _ secret: String) -> Bool {
        let secret = Array(secret.utf8)
        guard !secret.isEmpty else { return offered.isEmpty }
        var difference = UInt8(offered.utf8.count == secret.count ? 0 : 1)
        for (index, byte) in offered.utf8.enumerated() {
            difference |= byte ^ secret[index % secret.count]
        }
        return difference == 0
    }
}
