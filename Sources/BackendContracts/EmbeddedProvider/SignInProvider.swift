import Core
import Crypto
import Web

/// A sign-in provider that this backend plays, so that apps need no account at the real one.
enum SignInProvider: String, Sendable, CaseIterable {
    case google, apple, github, facebook

    /// The provider of Firebase's name for it.
    init?(firebaseID: String) {
        guard let provider = Self.allCases.first(where: { $0.firebaseID == firebaseID }) else {
            return nil
        }
        self = provider
    }

    var firebaseID: String { rawValue + ".com" }

    var name: String {
        switch self {
        case .google: "Google"
        case .apple: "Apple"
        case .github: "GitHub"
        case .facebook: "Facebook"
        }
    }

    var brand: ProviderBrand {
        switch self {
        case .google: ProviderBrand(name: name, cssClass: rawValue, color: "#1a66d2")
        case .apple: ProviderBrand(name: name, cssClass: rawValue, color: "#3a3a3c")
        case .github: ProviderBrand(name: name, cssClass: rawValue, color: "#6639ba")
        case .facebook: ProviderBrand(name: name, cssClass: rawValue, color: "#0a5bc4")
        }
    }

    /// The `iss` of its ID tokens.
    var issuer: String {
        switch self {
        case .google: "https://accounts.google.com"
        case .apple: "https://appleid.apple.com"
        case .github: "https://github.com"
        case .facebook: "https://www.facebook.com"
        }
    }

    /// What its opaque access tokens begin with.
    var tokenPrefix: String {
        switch self {
        case .google: "ya29."
        case .apple: "a"
        case .github: "gho_"
        case .facebook: "EAAB"
        }
    }

    /// Whether an app may rely on an address without looking at `email_verified`.
    var verifiesEveryEmail: Bool { self == .apple || self == .facebook }
}

/// How a provider's page looks.
struct ProviderBrand: Sendable {
    let name: String
    let cssClass: String
    /// With white text on it a contrast of at least 4.5.
    let color: String

    /// A provider that is played but has no look of its own.
    static func other(_ name: String) -> Self {
        Self(name: name, cssClass: "other", color: "#4d5562")
    }

    static var all: [Self] { SignInProvider.allCases.map(\.brand) + [.other("")] }

    /// A person's picture: the initials on the brand's color. `name` is the last part of its URL.
    func picture(_ name: String) -> Response {
        let initials = name.prefix { $0 != "." }.prefix(2).filter(\.isLetter)
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">\
            <rect width="96" height="96" fill="\(color)"/>\
            <text x="48" y="60" text-anchor="middle" font-family="sans-serif" font-size="36" \
            fill="#ffffff">\(initials.uppercased())</text></svg>
            """
        return Response(
            status: 200,
            headers: ["Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=600"],
            body: .bytes(Array(svg.utf8)))
    }
}

/// A person who signs in at an embedded provider.
struct ProviderPerson: Sendable, Equatable {
    var name: String
    var email: String?
    var isEmailVerified = true

    /// Offered besides the accounts of the workspace.
    static let builtIn = [
        ProviderPerson(name: "Grace Hopper", email: "grace.hopper@example.com"),
        ProviderPerson(
            name: "Alan Turing", email: "alan.turing@example.com", isEmailVerified: false),
        ProviderPerson(name: "Mary Jackson", email: nil),
    ]

    /// The person's id at a provider, always the same for one address, or without one for one name.
    /// It has the form of the real ids.
    func subject(at provider: SignInProvider) -> String {
        let key = email ?? "name:" + name
        let digest = Digest.sha256("\(provider.rawValue) \(key)")
        let digits = digest.utf8.map { "\($0 % 10)" }.joined()
        return switch provider {
        case .google: "1" + digits.prefix(20)
        case .apple: "00\(digits.prefix(4)).\(digest.prefix(32)).\(digits.suffix(4))"
        case .github: "1" + digits.prefix(7)
        case .facebook: "1" + digits.prefix(16)
        }
    }

    /// The name of the person's account, where a provider has such names.
    var userName: String {
        let source = email.map { $0.prefix { $0 != "@" } } ?? name[...]
        let characters = source.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
        return String(characters)
    }

    /// The first letters of the first and the last word of the name, for the picture.
    var initials: String {
        let words = (name.isEmpty ? email ?? "" : name).split(separator: " ")
        let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
        return String(letters.filter(\.isLetter)).uppercased()
    }

    /// The claims of an ID token and of the user info: what the real provider reveals.
    func claims(at provider: SignInProvider, pictureURL: String) -> [JSON.Member] {
        var claims: [JSON.Member] = [.init("sub", .string(subject(at: provider)))]
        if provider != .apple {
            claims.append(.init("name", .string(name)))
            claims.append(.init("picture", .string(pictureURL)))
        }
        if provider == .github { claims.append(.init("preferred_username", .string(userName))) }
        if let email {
            claims.append(.init("email", .string(email)))
            claims.append(
                .init("email_verified", .bool(isEmailVerified || provider.verifiesEveryEmail)))
        }
        return claims
    }
}

/// The person as the value of a form field and in stored data.
extension ProviderPerson {
    var json: JSON {
        ["name": .string(name), "email": JSON(email), "verified": .bool(isEmailVerified)]
    }

    init?(_ json: JSON?) {
        guard let json, let name = json["name"]?.string else { return nil }
        self.init(
            name: name, email: json["email"]?.string, isEmailVerified: json["verified"] == true)
    }

    var formValue: String { Base64URL.encode(json.bytes) }

    init?(formValue: String) {
        guard let bytes = Base64URL.decode(formValue) else { return nil }
        self.init(try? JSON(parsing: String(decoding: bytes, as: UTF8.self)))
    }
}
