import Crypto
import FoundationEssentials
import Web

extension ClarityContract {
    /// What stands before every method of Google's: the project's API key,
    /// and nobody who claims to be its administrator.
    func authorizeRequest(_ context: RequestContext) throws -> Realm {
        guard Bearer(context.request) == .missing else {
            throw ClarityGoogleFailure.unauthenticated
        }
        let realm = realm(context)
        try checkAPIKey(
            context.target.query.first { $0.name == "key" }?.value
                ?? context.request.headers["x-goog-api-key"], in: realm)
        return realm
    }

    private func checkAPIKey(_ key: String?, in realm: Realm) throws {
        guard let key, !key.isEmpty else {
            CheckTrace.record(.apiKey, false, "none was sent")
            throw ClarityGoogleFailure.missingAPIKey
        }
        CheckTrace.record(.apiKey)
        guard isOn(Self.requiresOwnAPIKey, realm) else { return }
        guard Digest.constantTimeEquals(key, apiKey) else {
            throw ClarityGoogleFailure.invalidAPIKey
        }
    }

    /// A key in the shape of Google's, 39 characters, made at first start.
    static func makeAPIKey(_ keyring: Keyring) throws -> String {
        let digits = try keyring.digest("API key").compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
        return "AIzaSy" + Base64URL.encode(bytes).prefix(33)
    }

    /// What a Firebase SDK is configured with.
    @Sendable func clientSettings(_ realm: Realm) -> [ContractInfo.ClientSetting] {
        let root = services.rootURL(of: realm)
        let host = root.split(separator: "//").last.map(String.init) ?? root
        return [
            ContractInfo.ClientSetting("emulatorHost", host),
            ContractInfo.ClientSetting("projectId", Self.projectID),
            ContractInfo.ClientSetting("apiKey", apiKey),
        ]
    }

    /// The address somebody may have; nil only where none was sent.
    func readEmailAddress(_ body: ClarityGoogleBody, _ name: String = "email") throws
        -> EmailAddress?
    {
        guard let text = try body.text(name) else { return nil }
        guard let address = EmailAddress(text) else { throw ClarityGoogleFailure.invalidEmail }
        return address
    }

    static let minPasswordLength = 6

    /// Refuses a new password that is too short, or longer than we can keep.
    static func check(newPassword password: String) throws {
        // As clients count, in UTF-16.
        guard password.utf16.count >= minPasswordLength else {
            throw ClarityGoogleFailure.weakPassword
        }
        guard password.utf8.count <= JSONBody.passwordLimit else {
            throw ClarityGoogleFailure.passwordTooLong
        }
    }
}
