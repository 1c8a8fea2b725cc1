import Web

/// The query that an SDK opens the provider's page with.
struct ProviderHandlerRequest: Sendable {
    let apiKey: String
    /// `google.com`, `oidc.acme` …
    let providerID: String
    let appName: String
    let redirectURL: String
    let scopes: [String]
    private let values: [String: String]

    /// Nil without an API key or a provider.
    init?(_ target: RequestTarget) {
        let values = target.query.firstValues
        guard let apiKey = values["apiKey"], !apiKey.isEmpty,
            let providerID = values["providerId"], !providerID.isEmpty,
            providerID.utf8.count <= 100
        else { return nil }
        self.apiKey = apiKey
        self.providerID = providerID
        self.values = values
        appName = values["appName"] ?? ""
        redirectURL = values["redirectUrl"] ?? ""
        scopes = (values["scopes"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// Under which the SDK finds its event.
    var storageKey: String { apiKey + ":" + appName }

    var isPopup: Bool { type.lowercased().contains("popup") }

    private var type: String { values["authType"] ?? "" }

    var brand: ProviderBrand {
        SignInProvider(firebaseID: providerID)?.brand ?? .other(providerID)
    }

    /// Whether the query names the app that awaits the result.
    var hasClient: Bool {
        ["appName", "clientId", "appId", "apn", "ibi"].contains { !(values[$0] ?? "").isEmpty }
    }

    /// The event that the JavaScript SDK awaits.
    func event(_ result: ProviderHandlerResult) -> JSON {
        var event: [JSON.Member] = [
            .init("type", .string(type)), .init("eventId", JSON(values["eventId"])),
            .init("sessionId", "unused"), .init("postBody", ""),
            .init("tenantId", JSON(values["tid"] ?? values["tenantId"])),
        ]
        switch result {
        case .signedIn(let url):
            event += [.init("urlResponse", .string(url)), .init("error", .null)]
        case .userCancelled:
            event += [
                .init("urlResponse", .null),
                .init(
                    "error",
                    [
                        "code": "auth/user-cancelled",
                        "message": "The user did not grant the requested permissions.",
                    ]),
            ]
        }
        return .object(event)
    }

    /// The link that opens a mobile app with the result. Nil for a browser.
    func appLink(_ result: ProviderHandlerResult, baseURL: String) -> String? {
        guard !isPopup else { return nil }
        let link: String
        switch result {
        case .signedIn(let url): link = url
        case .userCancelled:
            link =
                baseURL + "/emulator/auth/handler?"
                + Form.encode([
                    ("firebaseError", #"{"code":"auth/user-cancelled","message":"Cancelled"}"#)
                ])
        }
        if let package = values["apn"], Self.isIdentifier(package) {
            let eventID = values["eventId"].map { "S.eventId=\(PercentEncoding.encode($0));" } ?? ""
            return "intent://firebase.auth/#Intent;scheme=genericidp;package=\(package);"
                + "S.authType=\(PercentEncoding.encode(type));\(eventID)"
                + "S.link=\(PercentEncoding.encode(link));B.encryptionEnabled=false;end;"
        }
        guard let bundle = values["ibi"], Self.isIdentifier(bundle) else { return nil }
        var items = [("authType", type), ("link", link)]
        if let eventID = values["eventId"] { items.append(("eventId", eventID)) }
        let deepLink = [("deep_link_id", "\(baseURL)/__/auth/callback?" + Form.encode(items))]
        let clientScheme = values["clientId"].map {
            $0.split(separator: ".").reversed().joined(separator: ".")
        }
        let appScheme = values["appId"].map { "app-" + $0.replacing(":", with: "-") }
        guard let scheme = clientScheme ?? appScheme else {
            return "\(bundle)://google/link?" + Form.encode(deepLink)
        }
        guard Self.isIdentifier(scheme) else { return nil }
        return "\(scheme)://firebaseauth/link?" + Form.encode(deepLink)
    }

    /// Whether a text can be a bundle id, a package or a scheme.
    private static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || ".-_".utf8.contains(byte)
            }
            && !["javascript", "data", "vbscript", "file", "http", "https"].contains(
                text.lowercased())
    }
}

/// What the user decided on the provider's page.
enum ProviderHandlerResult: Sendable {
    /// The URL is what the SDK sends to `signInWithIdp`.
    case signedIn(url: String)
    case userCancelled
}
