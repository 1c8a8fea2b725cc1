import Support
import Web

/// Me, refresh, logout.
extension MysticaCase {
    static let sessions: [MysticaCase] = [
        MysticaCase(name: "me/player") { house in
            .bearer(.get, "/auth/me", try await house.signedIn().accessToken)
        },
        MysticaCase(name: "me/device") { house in
            .bearer(.get, "/auth/me", await house.registerDevice().accessToken)
        },
        MysticaCase(name: "me/unverified") { house in
            .bearer(.get, "/auth/me", await house.register().accessToken)
        }, MysticaCase(name: "me/no-token") { _ in .bearer(.get, "/auth/me", nil) },
        MysticaCase(name: "me/empty-token") { _ in .bearer(.get, "/auth/me", "") },
        MysticaCase(name: "me/basic") { _ in
            Request(
                method: .get, target: "/main/mystica/api/v1/auth/me",
                headers: ["Authorization": "Basic YTpi"])
        }, MysticaCase(name: "me/not-ours") { _ in .bearer(.get, "/auth/me", "garbage") },
        MysticaCase(name: "me/expired") { house in
            let token = try await house.signedIn().accessToken
            house.frozen.advance(by: 3_600)
            return .bearer(.get, "/auth/me", token)
        },
        MysticaCase(name: "me/signed-out") { house in
            let token = try await house.signedIn().accessToken
            _ = await house.call(.post, "/auth/logout", bearer: token)
            return .bearer(.get, "/auth/me", token)
        },
        MysticaCase(name: "refresh/rotated") { house in
            let token = try await house.signedIn().refreshToken
            return .json("/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        MysticaCase(name: "refresh/reused") { house in
            let token = try await house.signedIn().refreshToken
            _ = await house.refresh(token)
            return .json("/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
        }, .post("refresh/unknown", "/auth/refresh", #"{"refresh_token":"nope"}"#),
        .post("refresh/missing", "/auth/refresh", "{}"),
        MysticaCase(name: "logout/signed-out") { house in
            .bearer(.post, "/auth/logout", try await house.signedIn().accessToken)
        }, MysticaCase(name: "logout/not-ours") { _ in .bearer(.post, "/auth/logout", "garbage") },
        MysticaCase(name: "logout/no-token") { _ in .bearer(.post, "/auth/logout", nil) },
    ]
}
