/// The headers every answer carries unless it brought its own.
package enum SecurityHeaders {
    /// Nothing from anywhere else, no inline script, no inline style.
    package static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; \
        img-src 'self' data:; font-src 'self'; connect-src 'self'; \
        frame-src 'self'; form-action 'self'; base-uri 'none'; \
        frame-ancestors 'self'
        """

    private static let fields: [(String, String)] = [
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    package static func add(to response: inout Response) {
        for (name, value) in fields where response.headers[name] == nil {
            response.headers.add(name, value)
        }
    }
}
