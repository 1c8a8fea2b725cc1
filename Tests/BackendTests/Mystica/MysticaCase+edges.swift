import Web

/// Requests to no endpoint, and malformed ones.
extension MysticaCase {
    static let edges: [MysticaCase] = [
        MysticaCase(name: "edges/health") { _ in .mysticaRequest(.get, "/health", nil) },
        MysticaCase(name: "edges/jwks") { _ in
            Request(method: .get, target: "/main/mystica/.well-known/jwks.json")
        },
        MysticaCase(name: "edges/unknown-route") { _ in
            .mysticaRequest(.get, "/auth/nothing?x=1", nil)
        },
        MysticaCase(name: "edges/wrong-method") { _ in .mysticaRequest(.delete, "/auth/me", nil) },
        MysticaCase(name: "edges/unknown-workspace") { _ in
            Request(method: .get, target: "/elsewhere/mystica/api/v1/health")
        },
        MysticaCase(name: "edges/unknown-contract") { _ in
            Request(method: .get, target: "/main/tetris/login")
        }, MysticaCase(name: "edges/index") { _ in Request(method: .get, target: "/") },
        MysticaCase(name: "edges/malformed-target") { _ in
            Request(method: .get, target: "/main/mystica/%2e%2e/%zz")
        },
        .post(
            "edges/form-instead-of-json", "/auth/login", "email=ada%40example.com",
            type: "application/x-www-form-urlencoded"),
        .post("edges/no-content-type", "/auth/login", credentials, type: nil),
        .post("edges/malformed-json", "/auth/login", #"{"email":"#),
        .post("edges/array", "/auth/login", "[]"),
        .post("edges/wrong-type", "/auth/login", #"{"email":["ada@example.com"],"password":"x"}"#),
    ]
}
