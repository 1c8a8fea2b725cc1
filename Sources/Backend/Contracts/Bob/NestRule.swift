import Web

/// One rule of the NestJS server's validator, with what it says.
struct NestRule: Sendable {
    /// What is told when it is broken.
    let words: String
    /// Nil is a field that is missing or null.
    let allows: @Sendable (JSON?) -> Bool

    private init(words: String, allows: @escaping @Sendable (JSON?) -> Bool) {
        self.words = words
        self.allows = allows
    }

    /// A rule for a text; what is none breaks it.
    init(_ words: String, _ allows: @escaping @Sendable (String) -> Bool) {
        self.init(words: words) { $0?.string.map(allows) ?? false }
    }

    static let email = NestRule("Please provide a valid email address") {
        guard let address = EmailAddress($0) else { return false }
        // A top-level domain is of letters.
        let end = address.text.split(separator: ".").last ?? ""
        return end.count >= 2 && end.allSatisfy(\.isLetter)
    }

    static func filled(_ name: String) -> NestRule {
        NestRule(words: "\(name) should not be empty") { $0.map { $0 != "" } ?? false }
    }

    static func text(_ name: String) -> NestRule {
        NestRule("\(name) must be a string") { _ in true }
    }

    /// Lengths are JavaScript's: UTF-16.
    static func atLeast(_ count: Int, _ name: String) -> NestRule {
        NestRule("\(name) must be longer than or equal to \(count) characters") {
            $0.utf16.count >= count
        }
    }

    static func atMost(_ count: Int, _ name: String) -> NestRule {
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
