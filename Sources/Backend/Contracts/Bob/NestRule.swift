import Web

/// One rule of the NestJS server's validator, with what it says.
struct NestRule: Sendable {
    /// What is told when it is broken.
    let message: String
    /// Nil is a field that is missing or null.
    let allows: @Sendable (JSON?) -> Bool

    private init(message: String, allows: @escaping @Sendable (JSON?) -> Bool) {
        self.message = message
        self.allows = allows
    }

    /// A rule for a text; what is none breaks it.
    init(_ words: String, _ allows: @escaping @Sendable (String) -> Bool) {
        self.init(message: words) { $0?.string.map(allows) ?? false }
    }

    static let email = NestRule("Please provide a valid email address") {
        guard let address = EmailAddress($0) else { return false }
        // A top-level domain is of letters.
        let end = address.text.split(separator: ".").last ?? ""
        return end.count >= 2 && end.allSatisfy(\.isLetter)
    }

    static func notEmpty(_ name: String) -> NestRule {
        NestRule(message: "\(name) should not be empty") { $0.map { $0 != "" } ?? false }
    }

    static func string(_ name: String) -> NestRule {
        NestRule("\(name) must be a string") { _ in true }
    }

    /// Lengths are JavaScript's: UTF-16.
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
