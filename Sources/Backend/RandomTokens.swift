import Core
import Web

/// Random ids and secrets, from the world's randomness.
enum RandomTokens {
    /// A random UUID (RFC 9562, version 4), lowercase.
    static func uuid(_ world: World) -> String {
        var bytes = world.randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += hex(byte)
        }
        return text
    }

    /// The lowercase form of a UUID in any case; nil if the text is not one.
    static func uuid(parsing text: String) -> String? {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.joined().allSatisfy(isHexDigit) else {
            return nil
        }
        return text.lowercased()
    }

    /// 256 random bits in base64url.
    static func secret(_ world: World) -> String { Base64URL.encode(world.randomBytes(32)) }

    /// 256 random bits in lowercase hex.
    static func hex(_ world: World) -> String { world.randomBytes(32).map(hex).joined() }

    private static func hex(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
