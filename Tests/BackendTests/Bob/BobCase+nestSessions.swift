import Support
import Web

/// The NestJS server's dialect: sessions, and requests to no endpoint.
extension BobCase {
    private static let base = BackendFixture.nestPath

    private static func refresh(_ token: String) -> Request {
        .post(base + "/refresh", #"{"refreshToken":"\#(token)"}"#)
    }

    private static func me(_ token: String?) -> Request {
        var headers = Headers()
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return Request(method: .get, target: base + "/me", headers: headers)
    }

    static let nestSessions: [ContractCase] = [
        ContractCase("bob/nest/refresh/rotated") { fixture in
            await fixture.registerBob()
            return refresh(await fixture.nestLogin().camelCaseRefreshToken)
        },
        ContractCase("bob/nest/refresh/cookie") { fixture in
            await fixture.registerBob()
            let token = await fixture.nestLogin().camelCaseRefreshToken
            return .post(base + "/refresh", "", [("Cookie", "refreshToken=\(token)")])
        },
        ContractCase("bob/nest/refresh/grace") { fixture in
            await fixture.registerBob()
            let token = await fixture.nestLogin().camelCaseRefreshToken
            _ = await fixture.nestRefresh(token)
            fixture.frozen.advance(by: 119)
            return refresh(token)
        },
        ContractCase("bob/nest/refresh/reused") { fixture in
            await fixture.registerBob()
            let token = await fixture.nestLogin().camelCaseRefreshToken
            _ = await fixture.nestRefresh(token)
            fixture.frozen.advance(by: 120)
            return refresh(token)
        },
        ContractCase("bob/nest/refresh/expired") { fixture in
            await fixture.registerBob()
            let token = await fixture.nestLogin().camelCaseRefreshToken
            fixture.frozen.advance(by: 604_800)
            return refresh(token)
        },
        ContractCase("bob/nest/refresh/revoked") { fixture in
            await fixture.registerBob()
            let reply = await fixture.nestLogin()
            _ = await fixture.send(.post(base + "/logout", bearer: reply.camelCaseAccessToken))
            return refresh(reply.camelCaseRefreshToken)
        },
        ContractCase("bob/nest/refresh/too-many") { fixture in
            for _ in 0..<10 { _ = await fixture.nestRefresh("nope") }
            return refresh("nope")
        }, ContractCase("bob/nest/refresh/unknown") { _ in refresh("nope") },
        .post("bob/nest/refresh/missing", base + "/refresh", "{}"),
        .post("bob/nest/refresh/snake-case", base + "/refresh", #"{"refresh_token":"nope"}"#),
        .post("bob/nest/refresh/wrong-type", base + "/refresh", #"{"refreshToken":17}"#),
        ContractCase("bob/nest/logout/signed-out") { fixture in
            await fixture.registerBob()
            return .post(base + "/logout", bearer: await fixture.nestLogin().camelCaseAccessToken)
        }, ContractCase("bob/nest/logout/no-token") { _ in .post(base + "/logout") },
        ContractCase("bob/nest/me/user") { fixture in
            await fixture.registerBob()
            return me(await fixture.nestLogin().camelCaseAccessToken)
        },
        ContractCase("bob/nest/me/after-logout") { fixture in
            await fixture.registerBob()
            let token = await fixture.nestLogin().camelCaseAccessToken
            _ = await fixture.send(.post(base + "/logout", bearer: token))
            return me(token)
        },
        ContractCase("bob/nest/me/expired") { fixture in
            await fixture.registerBob()
            let token = await fixture.nestLogin().camelCaseAccessToken
            fixture.frozen.advance(by: 900)
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
            .post("/elsewhere/bob/nest/api/auth/login", BackendFixture.bobLoginBody)
        },
    ]
}
