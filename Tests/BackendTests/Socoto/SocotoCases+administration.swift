import Support
import Web

/// Administration of users, links and the audit log.
extension SocotoCases {
    private static func administrate(
        _ name: String, _ method: Web.Method, _ path: String, _ body: String? = nil,
        bearer: BearerKey = .service,
        _ prepare: @escaping @Sendable (SocotoClient) async throws -> Void = { _ in }
    ) -> ContractCase {
        .socoto("admin/" + name) { client in
            try await prepare(client)
            return client.request(
                method, "/auth/v1" + path, body,
                bearer: bearer.token(client))
        }
    }

    /// The key that a request has as its bearer token.
    private enum BearerKey {
        case none, anon, service

        func token(_ client: SocotoClient) -> String? {
            switch self {
            case .none: nil
            case .anon: client.anonKey
            case .service: client.serviceKey
            }
        }
    }

    /// A request about the user whom an administrator created.
    private static func ofUser(_ name: String, _ method: Web.Method, _ body: String? = nil)
        -> ContractCase
    {
        .socoto("admin/" + name) { client in
            let id = try await client.addUser()
            return client.request(
                method, "/auth/v1/admin/users/\(id.uppercased())", body, bearer: client.serviceKey)
        }
    }

    private static let newUser = """
        {"email":"Ada@example.com","phone":"4915112345678","password":"correct horse",\
        "email_confirm":true,"phone_confirm":true,"user_metadata":{"full_name":"Ada"},\
        "app_metadata":{"plan":"pro"},"role":"editor","ban_duration":"1h30m"}
        """

    private static func link(_ type: String, _ more: String = "") -> String {
        #"{"type":"\#(type)","email":"ada@example.com"\#(more)}"#
    }

    static let administration: [ContractCase] = [
        administrate("no-token", .get, "/admin/users", bearer: .none),
        administrate("anon-key", .get, "/admin/users", bearer: .anon),
        administrate("list", .get, "/admin/users?page=1&per_page=1") { client in
            try await client.addUser()
            try await client.addUser("eve@example.com")
        },
        administrate("list-filtered", .get, "/admin/users?filter=EVE") { client in
            try await client.addUser()
            try await client.addUser("eve@example.com")
        },
        administrate("list-malformed", .get, "/admin/users?page=one"),
        administrate(
            "list-oldest-first", .get, "/admin/users?per_page=1&sort=created_at%20asc"
        ) { client in
            try await client.addUser()
            client.fixture.frozen.advance(by: 1)
            try await client.addUser("eve@example.com")
        },
        administrate("list-sorted-by-unknown", .get, "/admin/users?sort=email"),
        administrate("list-sorted-nowhere", .get, "/admin/users?sort=created_at%20up"),
        administrate("create", .post, "/admin/users", newUser),
        administrate("create-taken", .post, "/admin/users", newUser) { try await $0.addUser() },
        administrate("create-unnamed", .post, "/admin/users", "{}"),
        administrate(
            "create-unknown-hash", .post, "/admin/users",
            #"{"email":"ada@example.com","password_hash":"$argon2id$v=19$m=1"}"#),
        administrate(
            "create-malformed-ban", .post, "/admin/users",
            #"{"email":"ada@example.com","ban_duration":"24"}"#),
        ofUser("get", .get),
        ofUser("update", .put, #"{"email":"ada@king.example","user_metadata":{"theme":"dark"}}"#),
        ofUser("ban", .put, #"{"ban_duration":"24h"}"#),
        ofUser("delete", .delete),
        ofUser("delete-softly", .delete, #"{"should_soft_delete":true}"#),
        administrate("get-malformed", .get, "/admin/users/ada"),
        administrate(
            "get-unknown", .get, "/admin/users/00000000-0000-4000-8000-000000000000"),
        administrate("invite", .post, "/invite", link("x", #","data":{"full_name":"Ada"}"#)),
        administrate("invite-taken", .post, "/invite", link("x")) { try await $0.addUser() },
        administrate(
            "link-signup", .post, "/admin/generate_link?redirect_to=socoto://in",
            link("signup", #","password":"correct horse""#)),
        administrate("link-magiclink", .post, "/admin/generate_link", link("magiclink")) {
            try await $0.addUser()
        },
        administrate("link-magiclink-new", .post, "/admin/generate_link", link("magiclink")),
        administrate("link-recovery-unknown", .post, "/admin/generate_link", link("recovery")),
        administrate(
            "link-email-change", .post, "/admin/generate_link",
            link("email_change_new", #","new_email":"ada@king.example""#)
        ) { try await $0.addUser() },
        administrate(
            "link-email-change-once", .post, "/admin/generate_link",
            link("email_change_current", #","new_email":"ada@king.example""#)
        ) { try await $0.addUser() },
        administrate("link-unknown", .post, "/admin/generate_link", link("sesame")),
        administrate("audit", .get, "/admin/audit?query=action:login") { client in
            try await client.addUser()
            _ = await client.signIn()
        },
        administrate("audit-malformed", .get, "/admin/audit?query=sesame:login"),
        administrate("oauth-clients", .get, "/admin/oauth/clients"),
        .socoto("passkeys/off") { $0.request(.post, "/auth/v1/passkeys/authentication/options") },
        .socoto("sso/off") { $0.request(.post, "/auth/v1/sso", #"{"domain":"example.com"}"#) },
    ]
}
