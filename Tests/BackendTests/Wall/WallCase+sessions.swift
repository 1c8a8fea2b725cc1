import Support
import Web

/// Refresh tokens, in both dialects.
extension WallCase {
    /// A dialect's name in transcripts, its path and its member for the token.
    private static let dialects = [
        ("document", BackendFixture.wallPath, "refresh_token"),
        ("java", BackendFixture.micronautPath, "refreshToken"),
    ]

    static let sessions: [ContractCase] = dialects.flatMap { dialect, path, member in
        @Sendable func refresh(_ token: String) -> Request {
            .post(path + "/refresh", #"{"\#(member)":"\#(token)"}"#)
        }
        func sample(
            _ name: String,
            _ prepare: @escaping @Sendable (BackendFixture, String) async throws -> String
        ) -> ContractCase {
            ContractCase("wall/\(dialect)/refresh/\(name)") { fixture in
                let member = BackendFixture.WallMember(try await fixture.registerWallMember())
                return refresh(try await prepare(fixture, member.refreshToken))
            }
        }
        return [
            sample("rotated") { $1 },
            sample("lost-response") { fixture, token in
                _ = await fixture.send(refresh(token))
                fixture.frozen.advance(by: 59)
                return token
            },
            sample("reused") { fixture, token in
                _ = await fixture.send(refresh(token))
                fixture.frozen.advance(by: 60)
                return token
            },
            sample("ended") { fixture, token in
                let next = await fixture.send(refresh(token)).json[member]?.string ?? ""
                fixture.frozen.advance(by: 60)
                _ = await fixture.send(refresh(token))
                return next
            },
            sample("expired") { fixture, token in
                fixture.frozen.advance(by: 2_592_000)
                return token
            }, sample("unknown") { _, _ in "rt_unknown" }, sample("missing") { _, _ in "" },
            .post("wall/\(dialect)/refresh/malformed", path + "/refresh", "{"),
        ]
    }
}
