import CRhonabwy

/// An owned JSON object, parsed by jansson, with access to single members.
struct JSONObject: ~Copyable {
    private let pointer: UnsafeMutablePointer<json_t>

    /// Nil if `bytes` are not a JSON object.
    ///
    /// Numbers are parsed as reals: a claim beyond 64 bits is still JSON, and times are exact up to
    /// 2^53.
    init?(_ bytes: [UInt8]) {
        let flags = Int(JSON_ALLOW_NUL) | Int(JSON_DECODE_INT_AS_REAL)
        let parsed = bytes.withUnsafeBytes { buffer in
            json_loadb(buffer.bindMemory(to: CChar.self).baseAddress, buffer.count, flags, nil)
        }
        guard let parsed else { return nil }
        guard parsed.pointee.type == JSON_OBJECT else {
            json_decref(parsed)
            return nil
        }
        pointer = parsed
    }

    deinit { json_decref(pointer) }

    /// Lends the object, which is valid only during `body`.
    func withPointer<Result, Failure: Error>(
        _ body: (UnsafeMutablePointer<json_t>) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(pointer) }

    func hasMember(_ name: String) -> Bool { json_object_get(pointer, name) != nil }

    /// The member's text; nil if it is missing or not a string.
    func text(_ name: String) -> String? { Self.text(name, of: pointer) }

    /// The whole seconds of a NumericDate (RFC 7519, section 2).
    func numericDate(_ name: String) -> Int64? {
        guard let value = json_object_get(pointer, name), value.pointee.type == JSON_REAL else {
            return nil
        }
        return Int64(exactly: json_real_value(value).rounded(.down))
    }

    static func text(_ name: String, of object: UnsafeMutablePointer<json_t>) -> String? {
        guard let value = json_object_get(object, name), let characters = json_string_value(value)
        else { return nil }
        let count = json_string_length(value)
        return characters.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
