import Web

/// Parses phone numbers as the auth server does.
enum GoTruePhoneNumber {
    /// The number in E.164 format with its `+`, which may be missing in `raw`. Throws the server's
    /// 400 if it is not one.
    static func parse(_ raw: String) throws(GoTrueFailure) -> String {
        let digits = raw.utf8.filter { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: " ") }
        guard (2...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy(\.isDigit)
        else { throw .invalidPhoneNumber }
        return "+" + String(decoding: digits, as: UTF8.self)
    }
}
