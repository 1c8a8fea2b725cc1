package import Core
import Web

/// Random ids and secrets, from the world's randomness.
package enum RandomTokens {
    /// A random UUID (RFC 9562, version 4), lowercase.
    package static func uuid(_ world: World) -> String { Identifier.uuid(world.randomBytes(16)) }

    /// The lowercase form of a UUID in any case; nil if the text is not one.
    package static func uuid(parsing text: String) -> String? {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12],
            groups.joined().allSatisfy({ $0.hexDigitValue != nil })
        else { return nil }
        return text.lowercased()
    }

    /// 256 random bits in base64url.
    package static func secret(_ world: World) -> String { Base64URL.encode(world.randomBytes(32)) }

    /// 256 random bits in lowercase hex.
    static func hex(_ world: World) -> String { Hex.encode(world.randomBytes(32)) }
}
