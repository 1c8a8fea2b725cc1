import CCrypt
import Glibc

/// `crypt(3)`, which is slow by design: called only on the hashing queue.
enum Crypt {
    /// Whether `crypt` would process the complete password.
    static func canHash(_ password: String) -> Bool {
        password.utf8.count < Int(CRYPT_MAX_PASSPHRASE_SIZE) && !password.utf8.contains(0)
    }

    /// yescrypt's parameters with a new salt from the system.
    static func makeSetting(cost: UInt) throws(CryptoError) -> String {
        var output = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        let setting = crypt_gensalt_rn("$y$", cost, nil, 0, &output, Int32(output.count))
        guard setting != nil else {
            throw CryptoError(
                kind: .library, detail: "crypt could not create a salt: \(errorMessage)")
        }
        return text(output)
    }

    /// The hash of `password` with the parameters and salt of `setting`, which may be a complete
    /// hash.
    static func hash(_ password: String, setting: String) throws(CryptoError) -> String {
        // 32 KiB, in which the library retains its input.
        let size = MemoryLayout<crypt_data>.size
        let data = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<crypt_data>.alignment)
        memset(data, 0, size)
        defer {
            explicit_bzero(data, size)
            data.deallocate()
        }
        // A result that starts with `*` is an error, not a hash.
        guard let hash = crypt_rn(password, setting, data, Int32(size)), hash.pointee != 0x2a else {
            throw CryptoError(kind: .malformed, detail: "crypt cannot use it: \(errorMessage)")
        }
        return String(cString: hash)
    }

    private static var errorMessage: String { String(cString: strerror(errno)) }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
