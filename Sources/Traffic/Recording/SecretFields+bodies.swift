import Web

/// Secrets in bodies, whatever these say they are.
///
/// What cannot be taken apart is not kept where it may hold a password.
extension SecretFields {
    /// Takes what a request's body holds, of the type it is said to have;
    /// answers why it is not to be kept, or nil.
    package mutating func read(
        request body: [UInt8], _ type: String
    ) -> String? {
        let isClear = read(body, type.lowercased())
        return isClear || !maySpeakOfPassword(body) ? nil : Self.mayHold
    }

    /// Takes what an answer's holds: one that asks for a password speaks of
    /// it and has none.
    package mutating func read(answer body: [UInt8], _ type: String) {
        read(body, type.lowercased())
    }

    /// Why the beginning of a request's body is not to be kept.
    package func objection(toPartOf body: [UInt8]) -> String? {
        maySpeakOfPassword(body) ? Self.mayHold : nil
    }

    private static let mayHold = "it may hold a password"

    /// Whether bytes that could not be taken apart speak of a password.
    private func maySpeakOfPassword(_ bytes: [UInt8]) -> Bool {
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let words =
            [
                "passw", "passphrase", "passcode", "pwd", "secret",
                #""pass""#, "pass=", #""pin""#, "pin=",
            ] + named
        return words.contains {
            ByteSearch.first(Array($0.utf8), in: lower[...]) != nil
        }
    }

    /// Takes what a body holds; what it says it is only helps. False if it
    /// may hold more than was found.
    @discardableResult
    private mutating func read(_ body: [UInt8], _ type: String) -> Bool {
        guard !body.isEmpty else { return true }
        if let json = try? JSONReader.read(body) {
            read(json)
            return true
        }
        if type.hasPrefix("application/x-www-form-urlencoded") {
            read(Form.lenient(Substring(decoding: body, as: UTF8.self)))
            return true
        }
        if let parts = Self.parts(body, type) { return read(parts) }
        guard Self.looksLikePairs(body) else { return false }
        read(Form.lenient(Substring(decoding: body, as: UTF8.self)))
        return true
    }

    private mutating func read(_ parts: [Multipart.Part]) -> Bool {
        var isClear = true
        for part in parts {
            take(String(decoding: part.bytes, as: UTF8.self), part.name)
            if isPasswordField(part.name) { continue }
            if let json = try? JSONReader.read(part.bytes) {
                read(json)
            } else if maySpeakOfPassword(part.bytes) {
                isClear = false
            }
        }
        return isClear
    }

    /// The parts of a form in parts; one that does not say so begins with its
    /// boundary.
    private static func parts(
        _ body: [UInt8], _ type: String
    ) -> [Multipart.Part]? {
        guard body.starts(with: Array("--".utf8)) else { return nil }
        let mark = body.dropFirst(2).prefix { $0 != 0x0D && $0 != 0x0A }
        guard (1...70).contains(mark.count) else { return nil }
        let boundary = String(decoding: mark, as: UTF8.self)
        let request = Request(
            method: .post, target: "/",
            headers: [
                "Content-Type": "multipart/form-data; boundary=\(boundary)"
            ], body: body)
        return try? Multipart(request).parts
    }

    /// Whether it is `name=value&name=value`, as a form without a type is.
    private static func looksLikePairs(_ body: [UInt8]) -> Bool {
        let isOneWord = body.allSatisfy {
            $0 > 0x20 && $0 < 0x7F && !#""<>{}"#.utf8.contains($0)
        }
        return isOneWord
            && body.split(separator: UInt8(ascii: "&")).allSatisfy {
                $0.first != UInt8(ascii: "=")
                    && $0.contains(UInt8(ascii: "="))
            }
    }
}
