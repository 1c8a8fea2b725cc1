import Support
import Web

/// The NestJS server's dialect: sessions, and what belongs to no endpoint.
extension BobCase {
    private static let base = BackendHouse.nest

    private static func refresh(_ token: String) -> Request {
        .post(base + "/refresh", #"{"refreshToken":"\#(token)"}"#)
    }

    private static func me(_ token: String?) -> Request {
        var headers = Headers()
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return Request(method: .get, target: base + "/me", headers: headers)
    }

    static let nestSessions: [ContractCase] = [
        ContractCase("bob/nest/refresh/rotated") { house in
            await house.bob()
            return refresh(await house.nestLogin().camelRefresh)
        },
        ContractCase("bob/nest/refresh/cookie") { house in
            await house.bob()
            let token = await house.nestLogin().camelRefresh
            return .post(base + "/refresh", "", [("Cookie", "refreshToken=\(token)")])
        },
        ContractCase("bob/nest/refresh/grace") { house in
            await house.bob()
            let token = await house.nestLogin().camelRefresh
            _ = await house.nestRefresh(token)
            house.frozen.advance(by: 119)
            return refresh(token)
        },
        ContractCase("bob/nest/refresh/reused") { house in
            await house.bob()
            let token = await house.nestLogin().camelRefresh
            _ = await house.nestRefresh(token)
            house.frozen.advance(by: 120)
            return refresh(token)
        },
        ContractCase("bob/nest/refresh/expired") { house in
            await house.bob()
            let token = await house.nestLogin().camelRefresh
            house.frozen.advance(by: 604_800)
            return refresh(token)
        },
        ContractCase("bob/nest/refresh/revoked") { house in
            await house.bob()
            let reply = await house.nestLogin()
            _ = await house.send(.post(base + "/logout", bearer: reply.camelAccess))
            return refresh(reply.camelRefresh)
        },
        ContractCase("bob/nest/refresh/too-many") { house in
            for _ in 0..<10 { _ = await house.nestRefresh("nope") }
            return refresh("nope")
        }, ContractCase("bob/nest/refresh/unknown") { _ in refresh("nope") },
        .post("bob/nest/refresh/missing", base + "/refresh", "{}"),
        .post("bob/nest/refresh/snake-case", base + "/refresh", #"{"refresh_token":"nope"}"#),
        .post("bob/nest/refresh/wrong-type", base + "/refresh", #"{"refreshToken":17}"#),
        ContractCase("bob/nest/logout/signed-out") { house in
            await house.bob()
            return .post(base + "/logout", bearer: await house.nestLogin().camelAccess)
        }, ContractCase("bob/nest/logout/no-token") { _ in .post(base + "/logout") },
        ContractCase("bob/nest/me/user") { house in
            await house.bob()
            return me(await house.nestLogin().camelAccess)
        },
        ContractCase("bob/nest/me/after-logout") { house in
            await house.bob()
            let token = await house.nestLogin().camelAccess
            _ = await house.send(.post(base + "/logout", bearer: token))
            return me(token)
        },
        ContractCase("bob/nest/me/expired") { house in
            await house.bob()
            let token = await house.nestLogin().camelAccess
            house.frozen.advance(by: 900)
            return me(token)
        }, ContractCase("bob/nest/me/no-token") { _ in me(nil) },
        ContractCase("bob/nest/me/not-ours") { _ in me("garbage") },
        ContractCase("bob/nest/edges/unknown-route") { _ in
            Request(method: .get, target: "/main/bob/nest/x")
        },
        ContractCase("bob/nest/edges/wrong-method") { _ in
            Request(method: .delete, target: base + "/login?x=1")
        },
        ContractCase("bob/nest/edges/preflight") { _ in
            Request(
                method: .options, target: base + "/login",
                headers: [
                    "Origin": "http://localhost:3001", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "content-type",
                ])
        },
        ContractCase("bob/nest/edges/unknown-workspace") { _ in
            .post("/elsewhere/bob/nest/api/auth/login", BackendHouse.bobLogin)
        },
    ]
}
