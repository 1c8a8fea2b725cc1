import CRhonabwy
import Core

/// A rhonabwy key (RFC 7517), parsed once.
///
/// `@unchecked Sendable`: nothing changes it after its creation, rhonabwy only reads keys passed to
/// it, and jansson counts references atomically.
final class JWK: @unchecked Sendable {
    private let pointer: UnsafeMutablePointer<jwk_t>

    /// Members that describe a public key, and those of a secret one.
    static let publicMembers = ["kty", "crv", "n", "e", "x", "y", "kid", "alg", "use"]
    static let secretMembers = ["k", "d", "p", "q", "dp", "dq", "qi"]

    /// Takes ownership of a key that rhonabwy created.
    init(owning pointer: UnsafeMutablePointer<jwk_t>) { self.pointer = pointer }

    deinit { r_jwk_free(pointer) }

    /// Lends the key, which is valid only during `body`.
    func withPointer<Result>(_ body: (UnsafeMutablePointer<jwk_t>) -> Result) -> Result {
        withExtendedLifetime(self) { body(pointer) }
    }

    /// An empty key, to be filled by rhonabwy.
    static func makeEmpty() throws(CryptoError) -> JWK {
        try Rhonabwy.ensureStarted()
        var pointer: UnsafeMutablePointer<jwk_t>?
        try Rhonabwy.check(r_jwk_init(&pointer), "creating a key")
        guard let pointer else {
            throw CryptoError(kind: .library, detail: "creating a key failed")
        }
        return JWK(owning: pointer)
    }

    /// A key with only these members of `object`: certificates and key URLs (`x5c`, `x5u`) are not
    /// followed.
    static func makeFromJSON(_ object: UnsafeMutablePointer<json_t>, members: [String])
        throws(CryptoError) -> JWK
    {
        let key = try makeEmpty()
        guard let filtered = json_object() else {
            throw CryptoError(kind: .library, detail: "out of memory")
        }
        defer { json_decref(filtered) }
        for member in members {
            guard let value = json_object_get(object, member), value.pointee.type == JSON_STRING
            else { continue }
            json_object_set_new(filtered, member, json_incref(value))
        }
        try Rhonabwy.check(
            key.withPointer { r_jwk_import_from_json_t($0, filtered) }, "reading a key")
        return key
    }

    static func makeSymmetric(_ bytes: [UInt8]) throws(CryptoError) -> JWK {
        let key = try makeEmpty()
        try Rhonabwy.check(
            key.withPointer { r_jwk_import_from_symmetric_key($0, bytes, bytes.count) },
            "reading a secret")
        return key
    }

    /// `R_KEY_TYPE_…` flags and the size in bits.
    var keyType: (flags: Int32, bits: UInt32) {
        var bits: UInt32 = 0
        let flags = r_jwk_key_type(pointer, &bits, Rhonabwy.ignoreRemoteKeys)
        return (flags, bits)
    }

    /// The bytes of a symmetric key; nil for any other.
    var symmetricBytes: [UInt8]? {
        guard keyType.flags & R_KEY_TYPE_SYMMETRIC != 0 else { return nil }
        // 4 base64 characters encode 3 bytes.
        var count = (text("k")?.utf8.count ?? 0) + 4
        var bytes = [UInt8](repeating: 0, count: count)
        guard r_jwk_export_to_symmetric_key(pointer, &bytes, &count) == RHN_OK else { return nil }
        return Array(bytes.prefix(count))
    }

    func text(_ name: String) -> String? { JSONObject.text(name, of: pointer) }

    func set(_ name: String, _ value: String) throws(CryptoError) {
        try Rhonabwy.check(r_jwk_set_property_str(pointer, name, value), "naming a key")
    }

    /// Restores leading zeros, which rhonabwy omits, in the numbers of an elliptic-curve key (RFC
    /// 7518, section 6.2).
    func padNumbers(to size: Int) throws(CryptoError) {
        for name in ["x", "y", "d"] {
            guard let number = text(name).flatMap({ Base64URL.decode($0) }), number.count < size
            else { continue }
            let padding = [UInt8](repeating: 0, count: size - number.count)
            try set(name, Base64URL.encode(padding + number))
        }
    }

    /// The key as JSON text.
    func json() throws(CryptoError) -> String {
        try Rhonabwy.takeString(r_jwk_export_to_json_str(pointer, 0), "writing a key")
    }

    /// The public half; nil for a symmetric key.
    func makePublicKey() throws(CryptoError) -> JWK? {
        guard keyType.flags & R_KEY_TYPE_SYMMETRIC == 0 else { return nil }
        return try JWK.makeFromJSON(pointer, members: Self.publicMembers)
    }
}
