import Web

/// Parses phone numbers as the auth server does.
enum GoTruePhoneNumber {
    /// The number in E.164 format with its `+`, which may be missing in `raw`. Throws the server's
    /// 400 if it is not one.
    static func parse(_ raw: String) throws(GoTrueFailure) -> String {
        let phone = normalized(raw)
        let digits = phone.utf8.dropFirst()
        guard (2...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy(\.isDigit)
        else { throw .invalidPhoneNumber }
        return phone
    }

    /// The text with a `+` and without spaces, whether it is a number or not.
    static func normalized(_ raw: String) -> String {
        "+" + (raw.hasPrefix("+") ? raw.dropFirst() : raw[...]).filter { $0 != " " }
    }

    /// The number as the server writes it; empty if there is none.
    static func withoutPlus(_ phone: String?) -> String { String((phone ?? "").drop { $0 == "+" }) }

    /// Throws unless the body's `channel` is one that carries codes. It is a text message by
    /// default.
    static func checkChannel(_ body: GoTrueBody) throws(GoTrueFailure) {
        guard try ["", "sms", "whatsapp"].contains(body.text("channel")) else {
            throw .invalidChannel
        }
    }
}
