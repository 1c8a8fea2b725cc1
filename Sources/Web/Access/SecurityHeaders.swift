/// Default security headers, added to every response that does not set them itself.
package enum SecurityHeaders {
    private static let fields: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Adds the missing headers; `pagePolicy` is the policy of a page that has none.
    package static func add(to response: inout Response, pagePolicy: @autoclosure () -> String) {
        let policy = "Content-Security-Policy"
        if response.headers[policy] == nil {
            let isPage = response.headers["Content-Type"]?.hasPrefix("text/html") ?? false
            response.headers.add(policy, isPage ? pagePolicy() : ContentSecurityPolicy.nonPage)
        }
        for (name, value) in fields where response.headers[name] == nil {
            response.headers.add(name, value)
        }
    }
}
