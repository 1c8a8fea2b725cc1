import Support
import Web

/// Me, refresh, logout.
extension MysticaCase {
    static let sessions: [MysticaCase] = [
        MysticaCase(name: "me/player") { fixture in
            .bearer(.get, "/auth/me", try await fixture.signedIn().accessToken)
        },
        MysticaCase(name: "me/device") { fixture in
            .bearer(.get, "/auth/me", await fixture.registerDevice().accessToken)
        },
        MysticaCase(name: "me/unverified") { fixture in
            .bearer(.get, "/auth/me", await fixture.register().accessToken)
        }, MysticaCase(name: "me/no-token") { _ in .bearer(.get, "/auth/me", nil) },
        MysticaCase(name: "me/empty-token") { _ in .bearer(.get, "/auth/me", "") },
        MysticaCase(name: "me/basic") { _ in
            Request(
                method: .get, target: "/main/mystica/api/v1/auth/me",
                headers: ["Authorization": "Basic YTpi"])
        }, MysticaCase(name: "me/not-ours") { _ in .bearer(.get, "/auth/me", "garbage") },
        MysticaCase(name: "me/expired") { fixture in
            let token = try await fixture.signedIn().accessToken
            fixture.frozen.advance(by: 3_600)
            return .bearer(.get, "/auth/me", token)
        },
        MysticaCase(name: "me/signed-out") { fixture in
            let token = try await fixture.signedIn().accessToken
            _ = await fixture.call(.post, "/auth/logout", bearer: token)
            return .bearer(.get, "/auth/me", token)
        },
        MysticaCase(name: "refresh/rotated") { fixture in
            let token = try await fixture.signedIn().refreshToken
            return .json("/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        MysticaCase(name: "refresh/reused") { fixture in
            let token = try await fixture.signedIn().refreshToken
            _ = await fixture.refresh(token)
            return .json("/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
        }, .post("refresh/unknown", "/auth/refresh", #"{"refresh_token":"nope"}"#),
        .post("refresh/missing", "/auth/refresh", "{}"),
        MysticaCase(name: "logout/signed-out") { fixture in
            .bearer(.post, "/auth/logout", try await fixture.signedIn().accessToken)
        }, MysticaCase(name: "logout/not-ours") { _ in .bearer(.post, "/auth/logout", "garbage") },
        MysticaCase(name: "logout/no-token") { _ in .bearer(.post, "/auth/logout", nil) },
    ]
}
