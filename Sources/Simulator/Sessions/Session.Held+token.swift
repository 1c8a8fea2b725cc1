import FoundationEssentials
import Secrets
import Web

extension Session.Held {
    /// Takes a token apart; what is kept of it is not enough to use it.
    init(token text: String, at date: Date) {
        let token = Token(decoding: text)
        self.init(
            masked: Token.masked(text), header: token.header.flatMap(Self.foreign),
            claims: token.claims.flatMap(Self.foreign), issuedAt: Self.date(token.issuedAt),
            expiresAt: Self.date(token.expiresAt), bytes: text.utf8.count, receivedAt: date)
    }

    private static func json(_ text: String) -> JSON? { try? JSONReader.read(Array(text.utf8)) }

    private static func foreign(_ text: String) -> JSON? {
        try? JSONReader.read(Array(text.utf8), depth: JSONReader.foreignDepth)
    }

    private static func date(_ seconds: Int64?) -> Date? {
        seconds.map { Date(clamping: Double($0)) }
    }

    // MARK: Stored

    /// All but the claims, which are stored beside it.
    var stored: JSON {
        [
            "masked": .string(masked),
            "header": header ?? .null,
            "iat": Self.number(issuedAt),
            "exp": Self.number(expiresAt),
            "bytes": JSON(bytes),
            "at": Self.number(receivedAt),
        ]
    }

    init?(stored text: String, claims: String?) {
        guard let json = Self.json(text) else { return nil }
        let header = json["header"]
        self.init(
            masked: json["masked"]?.string ?? "…", header: header == .null ? nil : header,
            claims: claims.flatMap(Self.json), issuedAt: json["iat"]?.date,
            expiresAt: json["exp"]?.date, bytes: Int(json["bytes"]?.int ?? 0),
            receivedAt: json["at"]?.date ?? .distantPast)
    }

    private static func number(_ date: Date?) -> JSON {
        date.map { .double($0.timeIntervalSince1970) } ?? .null
    }
}
