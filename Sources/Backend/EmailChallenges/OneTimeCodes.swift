import Core
import Crypto
import Web

/// One-time codes of six digits, for mails.
///
/// There are only a million, so what is kept of one is a digest with a key:
/// from the table alone nobody finds the code by trying all. Address, purpose,
/// realm and the contract's dialect, if it has several, are part of it: a code
/// sent for something else is another one.
struct OneTimeCodes: Sendable {
    let world: World
    let keyring: Keyring

    /// Six random digits, each code as likely as any other.
    func makeCode() -> String {
        while true {
            let number = world.randomBytes(4).reduce(UInt32(0)) { number, byte in
                number << 8 | UInt32(byte)
            }
            // 4,294 millions; the rest would make small codes likelier.
            guard number < 4_294_000_000 else { continue }
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
    }

    /// What `code` is found by; `email` is normalised.
    func digest(
        _ code: String, to email: String, for purpose: Challenge.Purpose, in realm: Realm,
        dialect: String = ""
    ) throws -> String {
        let parts: JSON = [
            "code": .string(code), "email": .string(email),
            "purpose": .string(purpose.rawValue),
            "workspace": .string(realm.workspace),
            "contract": .string(realm.contract),
            "dialect": .string(dialect),
        ]
        return try keyring.digest(parts.description)
    }
}
