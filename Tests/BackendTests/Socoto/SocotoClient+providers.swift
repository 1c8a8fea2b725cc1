import Core
import Support
import Web

@testable import Backend

extension SocotoClient {
    static let appURL = "http://localhost:3000/cb"
    static let verifier = String(repeating: "v", count: 43)

    /// The target of a URL of the backend.
    static func target(_ url: String) -> String {
        String(url.dropFirst(BackendFixture.baseURL.count))
    }

    /// Begins a sign-in at a provider: the URL of its page.
    func begin(_ provider: String = "google", isPKCE: Bool = false) async -> String {
        var items = [("provider", provider), ("redirect_to", Self.appURL)]
        if isPKCE {
            items += [("code_challenge", Self.verifier), ("code_challenge_method", "plain")]
        }
        let target = "/\(workspace)/socoto/auth/v1/authorize?" + Form.encode(items)
        return await fixture.send(Request(method: .get, target: target)).headers["Location"] ?? ""
    }

    /// Submits the page, allowing by default: the response that redirects to the contract.
    func submitConsent(_ page: String, _ fields: [(String, String)]) async -> Reply {
        let decision = fields.contains { $0.0 == "decision" } ? [] : [("decision", "allow")]
        return await fixture.submitForm(Self.target(page), decision + fields)
    }

    /// Signs in at a provider: the URL that the app gets the result at.
    func signIn(
        at provider: String = "google", isPKCE: Bool = false, _ fields: [(String, String)]
    ) async -> AppURL {
        await consent(to: await begin(provider, isPKCE: isPKCE), fields)
    }

    /// Submits the page and follows the redirect: the URL that the app gets the result at.
    func consent(to page: String, _ fields: [(String, String)]) async -> AppURL {
        let reply = await submitConsent(page, fields)
        if let url = reply.headers["Location"] {
            return AppURL(await fixture.follow(url).headers["Location"] ?? "")
        }
        // Apple's page posts itself to the contract.
        var posted: [(String, String)] = []
        for field in reply.text.split(separator: "<input type=\"hidden\" name=\"").dropFirst() {
            let parts = field.split(separator: "\"", maxSplits: 3).map(String.init)
            guard parts.count == 4 else { continue }
            posted.append((parts[0], parts[2].replacing("&quot;", with: "\"")))
        }
        let callback = "/\(workspace)/socoto/auth/v1/callback"
        return AppURL(await fixture.submitForm(callback, posted).headers["Location"] ?? "")
    }

    /// The result at the app, with its parameters.
    struct AppURL {
        let text: String
        let query: [String: String]
        let fragment: [String: String]

        init(_ text: String) {
            func items(_ part: Substring?) -> [String: String] {
                Dictionary(Form.parseLeniently(part ?? "").map { ($0.name, $0.value) }) { $1 }
            }
            self.text = text
            let parts = text.split(separator: "#", maxSplits: 1)
            let url = (parts.first ?? "").split(separator: "?", maxSplits: 1)
            query = items(url.count > 1 ? url[1] : nil)
            fragment = items(parts.count > 1 ? parts[1] : nil)
        }

        var accessToken: String { fragment["access_token"] ?? "" }
    }

    func exchange(_ code: String?, verifier: String = SocotoClient.verifier) async -> Reply {
        await send(
            .post, "/auth/v1/token?grant_type=pkce",
            ["auth_code": JSON(code), "code_verifier": .string(verifier)])
    }

    /// The providers of the user's identities.
    func providers(_ token: String) async -> [String] {
        guard case .array(let identities)? = await user(token).json["identities"] else { return [] }
        return identities.compactMap { $0["provider"]?.string }
    }

    /// The page of a provider that adds an identity to the user.
    func beginLinking(_ provider: String, _ bearer: String) async -> String {
        await send(
            .get,
            "/auth/v1/user/identities/authorize?provider=\(provider)&skip_http_redirect=true&"
                + Form.encode([("redirect_to", Self.appURL)]), bearer: bearer
        ).json["url"]?.string ?? ""
    }

    static let ada = [("name", "Ada Lovelace"), ("email", email), ("verified", "yes")]
}
