import Backend
import Web

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
