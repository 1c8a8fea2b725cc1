import Support
import Web

/// Current user, refresh and logout.
extension MysticaCase {
    static let sessions: [MysticaCase] = [
        MysticaCase(name: "me/player") { fixture in
            .mysticaRequest(.get, "/auth/me", try await fixture.signInVerified().accessToken)
        },
        MysticaCase(name: "me/device") { fixture in
            .mysticaRequest(.get, "/auth/me", await fixture.registerDevice().accessToken)
        },
        MysticaCase(name: "me/unverified") { fixture in
            .mysticaRequest(.get, "/auth/me", await fixture.register().accessToken)
        }, MysticaCase(name: "me/no-token") { _ in .mysticaRequest(.get, "/auth/me", nil) },
        MysticaCase(name: "me/empty-token") { _ in .mysticaRequest(.get, "/auth/me", "") },
        MysticaCase(name: "me/basic") { _ in
            Request(
                method: .get, target: "/main/mystica/api/v1/auth/me",
                headers: ["Authorization": "Basic YTpi"])
        }, MysticaCase(name: "me/not-ours") { _ in .mysticaRequest(.get, "/auth/me", "garbage") },
        MysticaCase(name: "me/expired") { fixture in
            let token = try await fixture.signInVerified().accessToken
            fixture.frozen.advance(by: 3_600)
            return .mysticaRequest(.get, "/auth/me", token)
        },
        MysticaCase(name: "me/signed-out") { fixture in
            let token = try await fixture.signInVerified().accessToken
            _ = await fixture.call(.post, "/auth/logout", bearer: token)
            return .mysticaRequest(.get, "/auth/me", token)
        },
        MysticaCase(name: "refresh/rotated") { fixture in
            let token = try await fixture.signInVerified().refreshToken
            return .mysticaPost("/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        MysticaCase(name: "refresh/reused") { fixture in
            let token = try await fixture.signInVerified().refreshToken
            _ = await fixture.refresh(token)
            return .mysticaPost("/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
        }, .post("refresh/unknown", "/auth/refresh", #"{"refresh_token":"nope"}"#),
        .post("refresh/missing", "/auth/refresh", "{}"),
        MysticaCase(name: "logout/signed-out") { fixture in
            .mysticaRequest(.post, "/auth/logout", try await fixture.signInVerified().accessToken)
        },
        MysticaCase(name: "logout/not-ours") { _ in
            .mysticaRequest(.post, "/auth/logout", "garbage")
        },
        MysticaCase(name: "logout/no-token") { _ in .mysticaRequest(.post, "/auth/logout", nil) },
    ]
}
