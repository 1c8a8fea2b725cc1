import Core
import Web

@testable import Backend

/// Sends requests to Socoto's contract without Supabase's client library.
struct SocotoClient {
    let fixture: BackendFixture
    var workspace = "main"

    static let email = "ada@example.com"
    static let password = "correct horse"
    static let version = "X-Supabase-Api-Version"

    var anonKey: String { clientSetting("anonKey") }
    var serviceKey: String { clientSetting("serviceKey") }

    private func clientSetting(_ name: String) -> String {
        fixture.backend.clientSetting(name, of: "socoto", in: workspace) ?? ""
    }

    /// A request to the auth or the REST server, with a JSON body if there is one.
    ///
    /// Without the version header the auth server responds in its older error format.
    func request(
        _ method: Web.Method, _ path: String, _ body: String? = nil, bearer: String? = nil,
        key: String? = nil, isVersioned: Bool = true, _ extraHeaders: [(String, String)] = []
    ) -> Request {
        var headers = Headers()
        headers["apikey"] = key ?? anonKey
        headers["Authorization"] = bearer.map { "Bearer \($0)" }
        if path.hasPrefix("/auth"), isVersioned { headers[Self.version] = "2024-01-01" }
        if body != nil { headers["Content-Type"] = "application/json" }
        for (name, value) in extraHeaders { headers.add(name, value) }
        return Request(
            method: method, target: "/\(workspace)/socoto\(path)", headers: headers,
            body: Array((body ?? "").utf8))
    }

    @discardableResult func send(
        _ method: Web.Method, _ path: String, _ body: JSON? = nil, bearer: String? = nil,
        _ extraHeaders: [(String, String)] = []
    ) async -> Reply {
        await fixture.send(request(method, path, body?.description, bearer: bearer, extraHeaders))
    }

    func setSwitch(_ name: String, isOn: Bool) async throws {
        _ = try await fixture.backend.setSwitch(name, isOn: isOn, of: "socoto", in: workspace)
    }

    @discardableResult func signUp(_ email: String = SocotoClient.email, data: JSON? = nil) async
        -> Reply
    {
        await send(
            .post, "/auth/v1/signup",
            [
                "email": .string(email), "password": .string(Self.password),
                "data": data ?? ["full_name": "Ada Lovelace", "role": "business_owner"],
            ])
    }

    func signIn(_ email: String = SocotoClient.email, _ password: String = SocotoClient.password)
        async -> Reply
    {
        await send(
            .post, "/auth/v1/token?grant_type=password",
            ["email": .string(email), "password": .string(password)])
    }

    /// Signs up, confirms the address and so signs in.
    @discardableResult func createUser(_ email: String = SocotoClient.email) async throws -> Reply {
        await signUp(email)
        let mail = try await mail("verify", to: email)
        return await verify("signup", code: mail.code, email)
    }

    func verify(_ type: String, code: String?, _ email: String = SocotoClient.email) async -> Reply
    {
        await send(
            .post, "/auth/v1/verify",
            ["type": .string(type), "token": JSON(code), "email": .string(email)])
    }

    func refresh(_ token: String) async -> Reply {
        await send(
            .post, "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    func user(_ token: String) async -> Reply { await send(.get, "/auth/v1/user", bearer: token) }

    @discardableResult func recover(redirect: String? = nil, _ body: JSON? = nil) async -> Reply {
        let query = redirect.map { "?" + Form.encode([("redirect_to", $0)]) }
        return await send(
            .post, "/auth/v1/recover\(query ?? "")", body ?? ["email": .string(Self.email)])
    }

    /// The link and the code of the newest mail.
    func mail(_ purpose: String, to email: String = SocotoClient.email) async throws -> (
        link: String, code: String
    ) {
        let page = try await fixture.backend.mailbox.list(
            workspace: workspace, to: email, purpose: purpose)
        return (page.items.first?.link ?? "no mail", page.items.first?.code ?? "no mail")
    }

    /// The contract's own page that a link leads to, opened as by a browser.
    func open(_ link: String) async -> Reply {
        let response = await fixture.follow(link)
        let location = (response.headers["Location"] ?? "").prefix { $0 != "#" }
        let cookie = (response.headers["Set-Cookie"] ?? "").prefix { $0 != ";" }
        return await fixture.send(
            Request(
                method: .get, target: String(location.dropFirst(BackendFixture.baseURL.count)),
                headers: ["Accept": "text/html", "Cookie": String(cookie)]))
    }

    /// The `token` parameter of a link.
    static func token(of link: String) -> String {
        let target = try? RequestTarget(
            parsing: String(link.dropFirst(BackendFixture.baseURL.count)))
        return target?.query.first { $0.name == "token" }?.value ?? ""
    }
}

extension ContractCase {
    /// A case of Socoto's contract. Its transcript is in the folder `socoto`.
    static func socoto(
        _ name: String, _ request: @escaping @Sendable (SocotoClient) async throws -> Request
    ) -> ContractCase {
        ContractCase("socoto/" + name) { fixture in
            try await request(SocotoClient(fixture: fixture))
        }
    }
}
