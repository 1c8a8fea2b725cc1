import Core
import Support
import Web

/// A guard, and the cookie and CSRF token of a browser that has presented the key.
struct GuardFixture: Sendable {
    let accessGuard: Guard
    let cookie: String
    let csrf: String
    let world: FrozenWorld

    init(
        key: String? = "correct-key-of-16", hosts: [String] = [],
        world: FrozenWorld = FrozenWorld(skippingSleeps: true)
    ) {
        let mac: @Sendable (String) -> String = { text in
            String(text.utf8.reduce(UInt64(5_381)) { $0 &* 33 &+ UInt64($1) }, radix: 16)
        }
        self.world = world
        accessGuard = Guard(
            key: key, port: 7070, extraHosts: hosts, mac: mac, world: world.world)
        cookie = "foyer_key_7070=ses_x.\(mac("ses_x"))"
        csrf = mac("csrf:ses_x")
    }

    /// Headers of a request to the console, plus `additional`.
    static func headers(_ additional: [(String, String)]) -> Headers {
        Headers(([("Host", "127.0.0.1:7070")] + additional).map { .init(name: $0.0, value: $0.1) })
    }

    func authorize(
        _ method: Method, _ target: String = "/", _ headers: Headers, body: String = "",
        isOpen: Bool = false
    ) async throws -> Guard.Decision {
        let request = Request(
            method: method, target: target, headers: headers, body: Array(body.utf8))
        return try await accessGuard.authorize(
            request, target: try RequestTarget(parsing: target), cookies: Cookies(headers),
            isOpen: isOpen)
    }

    /// The problem code of a rejected request; nil if the request is allowed.
    func rejectionCode(
        _ method: Method, _ headers: Headers, body: String = "", isOpen: Bool = false
    ) async
        -> String?
    {
        do {
            _ = try await authorize(method, "/x", headers, body: body, isOpen: isOpen)
            return nil
        } catch { return (error as? Problem)?.code }
    }
}
