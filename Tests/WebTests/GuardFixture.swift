import Core
import Support
import Web

/// A guard and a browser that has shown it the key.
struct GuardFixture: Sendable {
    let keeper: Guard
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
        keeper = Guard(
            Guard.Configuration(
                key: key, port: 7070, extraHosts: hosts, mac: mac, world: world.world))
        cookie = "foyer_key_7070=ses_x.\(mac("ses_x"))"
        csrf = mac("csrf:ses_x")
    }

    /// Those of a request to us, and `more`.
    static func headers(_ more: [(String, String)]) -> Headers {
        Headers(([("Host", "127.0.0.1:7070")] + more).map { .init(name: $0.0, value: $0.1) })
    }

    func decide(
        _ method: Method, _ target: String = "/", _ headers: Headers, body: String = "",
        open: Bool = false
    ) async throws -> Guard.Decision {
        let request = Request(
            method: method, target: target, headers: headers, body: Array(body.utf8))
        return try await keeper.authorize(
            request, target: try RequestTarget(parsing: target), cookies: Cookies(headers),
            isOpen: open)
    }

    /// The code of the problem, nil if the request is let in.
    func refusal(_ method: Method, _ headers: Headers, body: String = "", open: Bool = false) async
        -> String?
    {
        do {
            _ = try await decide(method, "/x", headers, body: body, open: open)
            return nil
        } catch { return (error as? Problem)?.code }
    }
}
