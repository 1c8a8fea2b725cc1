import Backend
import Core
import Crypto
import FoundationEssentials
import Web

extension ClarityContract {
    /// Checks the API key of a request to a Google method. Rejects a bearer token, which would
    /// claim administrator access.
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
            CheckTrace.record(.apiKey, false, "missing")
            throw ClarityGoogleFailure.missingAPIKey
        }
        CheckTrace.record(.apiKey)
        guard isOn(Self.requiresOwnAPIKey, realm) else { return }
        guard ConstantTime.areEqual(key, apiKey) else {
            throw ClarityGoogleFailure.invalidAPIKey
        }
    }

    /// A key in the format of Google's, 39 characters, derived from the keyring that is created at
    /// first start.
    static func makeAPIKey(_ keyring: Keyring) throws -> String {
        let bytes = Hex.decode(try keyring.digest("API key"))
        return "AIzaSy" + Base64URL.encode(bytes).prefix(33)
    }

    /// The values a Firebase SDK is configured with.
    func clientSettings(in realm: Realm) -> [ContractInfo.ClientSetting] {
        let root = services.rootURL(of: realm)
        let host = root.split(separator: "//").last.map(String.init) ?? root
        return [
            ContractInfo.ClientSetting("emulatorHost", host),
            ContractInfo.ClientSetting("projectId", Self.projectID),
            ContractInfo.ClientSetting("apiKey", apiKey),
        ]
    }

    /// Throws if the address is invalid. Nil only if none was sent.
    func readEmailAddress(_ body: ClarityGoogleBody, _ name: String = "email") throws
        -> EmailAddress?
    {
        guard let text = try body.text(name) else { return nil }
        guard let address = EmailAddress(text) else { throw ClarityGoogleFailure.invalidEmail }
        return address
    }

    static let minPasswordLength = 6

    /// Throws if a new password is too short, or longer than can be hashed.
    static func check(newPassword password: String) throws {
        // UTF-16 code units, as clients count.
        guard password.utf16.count >= minPasswordLength else {
            throw ClarityGoogleFailure.weakPassword
        }
        guard password.utf8.count <= JSONBody.passwordLimit else {
            throw ClarityGoogleFailure.passwordTooLong
        }
    }
}
