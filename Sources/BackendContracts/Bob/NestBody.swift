import Backend
import Web

/// A request body as the NestJS server validates it: each field has a list of rules, all broken
/// rules are reported at once, and unknown fields are rejected by name.
struct NestBody: Sendable {
    private let members: [JSON.Member]

    /// Reads a JSON object or a form. Any other body counts as empty.
    init(_ request: Request) throws {
        switch request.mediaType {
        case "application/json" where !request.body.isEmpty:
            guard let json = try? JSONReader.read(request.body) else {
                throw BobFailure(400, .string(Self.syntaxError(in: request.body)), [.body])
            }
            switch json {
            case .object(let members):
                self.members = members
                CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
            case .array: members = []
            default: throw BobFailure(400, "Unexpected token in JSON", [.body])
            }
        case "application/x-www-form-urlencoded":
            members = try Form(request).items.map { JSON.Member($0.name, .string($0.value)) }
        default: members = []
        }
    }

    /// The text of a validated field. Empty if it is absent.
    subscript(name: String) -> String { value(name)?.string ?? "" }

    /// Throws a 400 that lists every broken rule.
    func check(_ fields: [NestField]) throws(BobFailure) {
        let fieldNames = fields.map(\.name)
        var errors = members.map(\.name).filter { !fieldNames.contains($0) }.map {
            "property \($0.prefix(200)) should not exist"
        }
        for field in fields {
            let value = value(field.name)
            if field.isOptional, value == nil { continue }
            errors += field.rules(self).compactMap { rule in rule.allows(value) ? nil : rule.message
            }
        }
        guard errors.isEmpty else { throw BobFailure(400, .array(errors.map(JSON.string))) }
    }

    /// Null counts as absent.
    private func value(_ name: String) -> JSON? {
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    /// V8's messages, without the parts that would repeat the body.
    private static func syntaxError(in body: [UInt8]) -> String {
        let last = body.last { !" \t\r\n".utf8.contains($0) }
        return last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
            ? "Unexpected token in JSON" : "Unexpected end of JSON input"
    }
}

/// A field in a request body of the NestJS server, with its rules.
struct NestField: Sendable {
    let name: String
    var isOptional = false
    /// The rules may depend on the other fields.
    let rules: @Sendable (NestBody) -> [NestRule]

    static let email = NestField(name: "email") { _ in [.email] }

    static let password = NestField(name: "password") { _ in
        [.notEmpty("password"), .string("password")]
    }

    static func personName(_ name: String) -> NestField {
        NestField(name: name) { _ in [.notEmpty(name), .string(name), .maxLength(100, name)] }
    }

    static let phoneNumber = NestField(name: "phoneNumber", isOptional: true) { _ in [.phoneNumber]
    }

    static let refreshToken = NestField(name: "refreshToken", isOptional: true) { _ in
        [.string("refreshToken")]
    }

    private static let specialCharacters = "!@#$%^&*()_+-=[]{}|;:,.<>?"

    /// A new password: 8 to 128 characters with every kind of character.
    static let newPassword = NestField(name: "password") { body in
        let email = EmailAddress(body["email"])?.text ?? ""
        return [
            .notEmpty("password"), .string("password"), .minLength(8, "password"),
            // The hash would ignore the end of a longer password, or everything after a NUL.
            NestRule(NestRule.maxLength(128, "password").message) {
                $0.utf16.count <= 128 && $0.utf8.count <= JSONBody.passwordLimit
                    && !$0.utf8.contains(0)
            },
            NestRule(
                """
                Password must contain at least one uppercase letter, one \
                lowercase letter, one number, and one special character
                """
            ) { password in
                password.contains { $0.isASCII && $0.isUppercase }
                    && password.contains { $0.isASCII && $0.isLowercase }
                    && password.contains { $0.isASCII && $0.isNumber }
                    && password.contains(where: specialCharacters.contains)
            },
            NestRule("Password must not begin or end with a space") {
                $0.first?.isWhitespace != true && $0.last?.isWhitespace != true
            },
            NestRule("Password must not contain your email address") {
                email.isEmpty || !$0.lowercased().contains(email)
            },
        ]
    }
}

/// One rule of the NestJS server's validator, with its message.
struct NestRule: Sendable {
    let message: String
    /// A missing or null field is nil.
    let allows: @Sendable (JSON?) -> Bool

    private init(message: String, allows: @escaping @Sendable (JSON?) -> Bool) {
        self.message = message
        self.allows = allows
    }

    /// A rule for a text. A value that is not a text breaks it.
    init(_ message: String, _ allows: @escaping @Sendable (String) -> Bool) {
        self.init(message: message) { $0?.string.map(allows) ?? false }
    }

    static let email = NestRule("Please provide a valid email address") {
        guard let address = EmailAddress($0) else { return false }
        // A top-level domain consists of letters.
        let topLevelDomain = address.text.split(separator: ".").last ?? ""
        return topLevelDomain.count >= 2 && topLevelDomain.allSatisfy(\.isLetter)
    }

    static func notEmpty(_ name: String) -> NestRule {
        NestRule(message: "\(name) should not be empty") { $0.map { $0 != "" } ?? false }
    }

    static func string(_ name: String) -> NestRule {
        NestRule("\(name) must be a string") { _ in true }
    }

    /// Lengths count UTF-16 code units, as in JavaScript.
    static func minLength(_ count: Int, _ name: String) -> NestRule {
        NestRule("\(name) must be longer than or equal to \(count) characters") {
            $0.utf16.count >= count
        }
    }

    static func maxLength(_ count: Int, _ name: String) -> NestRule {
        NestRule("\(name) must be shorter than or equal to \(count) characters") {
            $0.utf16.count <= count
        }
    }

    /// E.164: a plus sign and two to fifteen digits.
    static let phoneNumber = NestRule("Phone number must be in E.164 format") {
        let digits = $0.utf8.dropFirst()
        return $0.hasPrefix("+") && (2...15).contains(digits.count)
            && digits.first != UInt8(ascii: "0") && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
