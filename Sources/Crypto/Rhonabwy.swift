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
