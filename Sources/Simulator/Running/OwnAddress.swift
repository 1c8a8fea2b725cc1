import Apps
import Web

/// Checks a backend's address that somebody typed in: https, or loopback, and
/// never ourselves.
///
/// A look at the text; what a name resolves to is checked when it is used.
enum OwnAddress {
    private static let longest = 2_048

    /// The address without a trailing slash.
    static func check(
        _ text: String, ownPorts: Set<UInt16>
    ) throws(Problem) -> String {
        guard text.utf8.count <= longest,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { "\\\"<>^`{|}".contains($0) })
        else {
            throw refusal("It holds characters no address holds.")
        }
        guard let colon = text.range(of: "://") else {
            throw refusal(
                "Write it with its scheme: https://api.example.com/v1.")
        }
        let scheme = text[..<colon.lowerBound].lowercased()
        let rest = text[colon.upperBound...]
        let end =
            rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
            ?? rest.endIndex
        let authority = rest[..<end]
        guard !rest[end...].contains(where: { $0 == "?" || $0 == "#" }) else {
            throw refusal("A base has no query and no fragment.")
        }
        guard !authority.contains("@") else {
            throw refusal("A name and password do not belong into an address.")
        }
        let (host, port) = try split(authority, scheme: scheme)
        let isLoopback = isLoopback(host)
        switch scheme {
        case "https": break
        case "http":
            guard isLoopback else {
                throw refusal(
                    "Plain http is for this machine only; use https.")
            }
        default: throw refusal("Only https and http are spoken.")
        }
        guard !isLoopback || !ownPorts.contains(port) else {
            throw refusal("It is Foyer's own address.")
        }
        var address = Substring(text)
        while address.last == "/" { address.removeLast() }
        return String(address)
    }

    private static func split(
        _ authority: Substring, scheme: String
    ) throws(Problem) -> (host: String, port: UInt16) {
        var host = authority
        var digits: Substring?
        if authority.first == "[" {
            guard let close = authority.firstIndex(of: "]") else {
                throw refusal("Its host is missing a bracket.")
            }
            host = authority[...close]
            let after = authority[close...].dropFirst()
            if !after.isEmpty {
                guard after.first == ":" else {
                    throw refusal("Its host cannot be read.")
                }
                digits = after.dropFirst()
            }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            digits = authority[colon...].dropFirst()
        }
        guard !host.isEmpty else { throw refusal("It has no host.") }
        var port: UInt16 = scheme == "https" ? 443 : 80
        if let digits {
            guard let number = UInt16(digits), number > 0,
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw refusal("Its port is no number from 1 to 65535.") }
            port = number
        }
        return (host.lowercased(), port)
    }

    private static func isLoopback(_ host: String) -> Bool {
        var host = host
        if host.last == "." { host.removeLast() }
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        if host == "[::1]" || host.hasPrefix("[::ffff:127.")
            || host == "0.0.0.0" || host == "[::]"
        {
            return true
        }
        // 127/8 in dotted form, shortened or not: 127.0.0.1, 127.1.
        return host.hasPrefix("127.")
            && host.utf8.allSatisfy {
                (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".")
            }
    }

    private static func refusal(_ detail: String) -> Problem {
        Problem(
            status: 422, code: "refused-base",
            title: "This address cannot be a backend", detail: detail,
            errors: [.init(pointer: "/base", detail: detail)])
    }
}

extension StringProtocol {
    /// The first place of an ASCII text in another.
    fileprivate func range(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) {
                return start..<index(start, offsetBy: needle.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
