import FoundationEssentials
import Secrets
import Web

extension ClarityContract {
    /// What stands before every method of Google's: the project's API key,
    /// and nobody who claims to be its administrator.
    func admit(_ visit: Visit) throws -> Realm {
        guard Bearer(visit.request) == .missing else { throw ClarityFailure.unauthenticated }
        let realm = realm(visit)
        try checkKey(
            visit.target.query.first { $0.name == "key" }?.value
                ?? visit.request.headers["x-goog-api-key"], in: realm)
        return realm
    }

    private func checkKey(_ key: String?, in realm: Realm) throws {
        guard let key, !key.isEmpty else {
            Trail.note(.key, false, "none was sent")
            throw ClarityFailure.missingKey
        }
        Trail.note(.key)
        guard isOn(Self.checksKeys, realm) else { return }
        guard Digest.constantTimeEquals(key, apiKey) else { throw ClarityFailure.invalidKey }
    }

    /// A key in the shape of Google's, 39 characters, made at first start.
    static func apiKey(_ keyring: Keyring) throws -> String {
        let digits = try keyring.digest("API key").compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
        return "AIzaSy" + Base64URL.encode(bytes).prefix(33)
    }

    /// What a Firebase SDK is configured with.
    @Sendable func facts(_ realm: Realm) -> [Service.Fact] {
        let root = premises.root(of: realm)
        let host = root.split(separator: "//").last.map(String.init) ?? root
        return [
            Service.Fact("emulatorHost", host), Service.Fact("projectId", Self.projectID),
            Service.Fact("apiKey", apiKey),
        ]
    }

    /// The address somebody may have; nil only where none was sent.
    func address(_ body: ClarityBody, _ name: String = "email") throws -> EmailAddress? {
        guard let text = try body.text(name) else { return nil }
        guard let address = EmailAddress(text) else { throw ClarityFailure.invalidEmail }
        return address
    }

    static let shortestPassword = 6

    /// Refuses a new password that is too short, or longer than we can keep.
    static func check(newPassword password: String) throws {
        // As clients count, in UTF-16.
        guard password.utf16.count >= shortestPassword else { throw ClarityFailure.weakPassword }
        guard password.utf8.count <= JSONBody.passwordLimit else {
            throw ClarityFailure.unfitPassword
        }
    }
}
