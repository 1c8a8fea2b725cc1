package import Web

/// Finds secrets in bodies, whatever their declared content type.
///
/// A body that cannot be parsed is not stored if it may contain a password.
extension SecretFields {
    /// Collects the secrets of a request's URL, headers and body. Returns the reason not to store
    /// the body, or nil.
    package mutating func read(_ request: OutboundRequest) -> String? {
        // Short parts first: the number of secrets is limited, and a body may exhaust it.
        read(url: request.url)
        read(request.headers)
        return read(request: request.body, request.headers["Content-Type"] ?? "")
    }

    /// Collects the secrets of a request body with the declared content type. Returns the reason
    /// not to store the body, or nil.
    package mutating func read(request body: [UInt8], _ type: String) -> String? {
        let parsed = read(body, type.lowercased())
        return isFullyParsed(parsed) || !mayContainPassword(body) ? nil : Self.mayHoldPasswordReason
    }

    /// Collects the secrets of a response. Its body never has a reason to be withheld: one that
    /// asks for a password mentions it but contains none.
    package mutating func read(_ response: UpstreamResponse) {
        read(response.headers)
        _ = read(response.body, (response.headers["Content-Type"] ?? "").lowercased())
    }

    /// The reason not to store the beginning of a request body, or nil.
    package func withholdReason(forPartOf body: [UInt8]) -> String? {
        mayContainPassword(body) ? Self.mayHoldPasswordReason : nil
    }

    private static let mayHoldPasswordReason = "it may contain a password"

    /// Whether bytes that could not be parsed mention a password.
    private func mayContainPassword(_ bytes: some Sequence<UInt8>) -> Bool {
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let words =
            [
                "passw", "passphrase", "passcode", "passkey", "pwd", "secret", #""pass""#, "pass=",
                #""pin""#, "pin=", #"pw""#, "pw=", "psw", "credential", "privatekey", "private_key",
                "private-key", "private key", "mnemonic", "seed_phrase", "recovery_code",
            ] + names.normalizedPasswordFields + names.lowercasedPasswordFields
        return words.contains { ByteSearch.firstIndex(of: Array($0.utf8), in: lower[...]) != nil }
    }

    /// The format a body was parsed as.
    private enum ParsedBody {
        case empty
        case json(JSON)
        case pairs([(name: String, value: String)])
        case parts([Multipart.Part])
        case unreadable
    }

    /// Collects the secrets of a body; the declared type is only a hint.
    private mutating func read(_ body: [UInt8], _ type: String) -> ParsedBody {
        guard !body.isEmpty else { return .empty }
        if let json = try? JSONReader.read(body, keepsDuplicateNames: true) {
            read(json)
            return .json(json)
        }
        if type.hasPrefix("application/x-www-form-urlencoded") || Self.looksLikeForm(body) {
            let pairs = Form.parseLeniently(Substring(decoding: body, as: UTF8.self))
            read(pairs)
            return .pairs(pairs)
        }
        guard let parts = Self.parts(body) else { return .unreadable }
        for part in parts { read(part) }
        return .parts(parts)
    }

    private mutating func read(_ part: Multipart.Part) {
        collect(String(decoding: part.bytes, as: UTF8.self), part.name)
        guard !isPasswordField(part.name),
            let json = try? JSONReader.read(part.bytes, keepsDuplicateNames: true)
        else { return }
        read(json)
    }

    /// Whether every secret of a request body was found.
    private func isFullyParsed(_ parsed: ParsedBody) -> Bool {
        switch parsed {
        case .empty: true
        case .json(let json): !mayHidePassword(json, depth: 0)
        case .pairs(let pairs): !pairs.contains { mayHidePassword($0.name, $0.value) }
        case .parts(let parts):
            parts.allSatisfy { part in
                isPasswordField(part.name) || (try? JSONReader.read(part.bytes)) != nil
                    || !mayContainPassword(part.bytes)
            }
        case .unreadable: false
        }
    }

    /// Whether a text within a field may contain a password of its own, as in a query language.
    /// `grant_type=password` mentions one but contains none.
    private func mayHidePassword(_ name: String, _ value: String) -> Bool {
        let mayContain = { (text: String) in
            text.utf8.contains { #"=:<{"("#.utf8.contains($0) } && mayContainPassword(text.utf8)
        }
        return mayContain(name) || !isPasswordField(name) && mayContain(value)
    }

    private func mayHidePassword(_ json: JSON, _ name: String = "", depth: Int) -> Bool {
        guard depth < 32 else { return true }
        return switch json {
        case .string(let text): mayHidePassword(name, text)
        case .object(let members):
            members.contains { mayHidePassword($0.value, $0.name, depth: depth + 1) }
        case .array(let elements): elements.contains { mayHidePassword($0, name, depth: depth + 1) }
        default: false
        }
    }

    /// The parts of a multipart form, detected by the boundary at its start, whatever its type.
    private static func parts(_ body: [UInt8]) -> [Multipart.Part]? {
        guard body.starts(with: Array("--".utf8)) else { return nil }
        let boundaryBytes = body.dropFirst(2).prefix { $0 != 0x0D && $0 != 0x0A }
        guard (1...70).contains(boundaryBytes.count) else { return nil }
        let boundary = String(decoding: boundaryBytes, as: UTF8.self)
        let request = Request(
            method: .post, target: "/",
            headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"], body: body)
        return try? Multipart(request).parts
    }

    /// Whether it has the form `name=value&name=value`, to detect a form without a content type.
    private static func looksLikeForm(_ body: [UInt8]) -> Bool {
        var hasName = false
        var hasValue = false
        for byte in body {
            switch byte {
            case UInt8(ascii: "&"):
                guard hasValue || !hasName else { return false }
                (hasName, hasValue) = (false, false)
            case UInt8(ascii: "="):
                guard hasName else { return false }
                hasValue = true
            case 0x22, 0x3C, 0x3E, 0x7B, 0x7D: return false  // " < > { }
            case 0x21..<0x7F: hasName = true
            default: return false
            }
        }
        return hasValue || !hasName
    }
}
