import CRhonabwy

/// One-time initialization of rhonabwy, and its error codes.
enum Rhonabwy {
    /// Keeps rhonabwy from fetching a key from a URL in a key or token.
    static let ignoreRemoteKeys = Int32(R_FLAG_IGNORE_REMOTE)

    /// A `static let` is initialized once, on any thread: `r_global_init` must not run twice at the
    /// same time.
    private static let isReady: Bool = {
        // Rhonabwy reports every token it cannot parse through yder.
        y_init_logs("foyer", UInt(Y_LOG_MODE_NONE), UInt(Y_LOG_LEVEL_NONE), nil, nil)
        return r_global_init() == RHN_OK
    }()

    static func ensureStarted() throws(CryptoError) {
        guard isReady else {
            throw CryptoError(kind: .library, detail: "librhonabwy did not start")
        }
    }

    /// Throws unless `code` is `RHN_OK`.
    static func check(_ code: Int32, _ step: String) throws(CryptoError) {
        guard code != RHN_OK else { return }
        let kind: CryptoError.Kind =
            switch code {
            case RHN_ERROR_PARAM, RHN_ERROR_INVALID: .malformed
            case RHN_ERROR_UNSUPPORTED: .unsupported
            default: .library
            }
        throw CryptoError(kind: kind, detail: "\(step) failed (\(code))")
    }

    /// Copies and frees a string that rhonabwy allocated.
    static func takeString(_ characters: UnsafeMutablePointer<CChar>?, _ step: String)
        throws(CryptoError) -> String
    {
        guard let characters else { throw CryptoError(kind: .library, detail: "\(step) failed") }
        defer { r_free(characters) }
        return String(cString: characters)
    }
}

/// Why a cryptographic operation failed; contains no secret.
package struct CryptoError: Error, Sendable, Equatable {
    package var kind: Kind
    package var detail: String

    /// What failed.
    package enum Kind: String, Sendable { case wrongKey, malformed, unsupported, busy, library }
}

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
