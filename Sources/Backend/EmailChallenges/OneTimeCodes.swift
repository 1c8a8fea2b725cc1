package import Core
import Crypto
import Web

/// Six-digit one-time codes for mails.
///
/// There are only a million, so a keyed digest is stored: with the table alone a code cannot be
/// found by trying all. The digest covers address, purpose, realm and the contract's dialect, if it
/// has several, so a code sent for one purpose is not valid for another.
package struct OneTimeCodes: Sendable {
    let world: World
    let keyring: Keyring

    package init(world: World, keyring: Keyring) {
        self.world = world
        self.keyring = keyring
    }

    /// Six random digits, uniformly distributed.
    package func makeCode() -> String {
        while true {
            let number = world.randomBytes(4).reduce(UInt32(0)) { number, byte in
                number << 8 | UInt32(byte)
            }
            // The largest multiple of a million; values above it would make small codes likelier.
            guard number < 4_294_000_000 else { continue }
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
    }

    /// The digest by which a code is looked up; `email` is normalized.
    package func digest(
        _ code: String, to email: String, for purpose: Challenge.Purpose, in realm: Realm,
        dialect: String = ""
    ) throws -> String {
        let parts: JSON = [
            "code": .string(code), "email": .string(email), "purpose": .string(purpose.rawValue),
            "workspace": .string(realm.workspace), "contract": .string(realm.contract),
            "dialect": .string(dialect),
        ]
        return try keyring.digest(parts.description)
    }
}
