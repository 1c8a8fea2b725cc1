import SQLite
import Secrets
import Web

extension SocotoContract {
    /// GET /verify: a mailed link, followed by a browser, which is led on
    /// with what came of it.
    ///
    /// HEAD, which scanners send, uses nothing up.
    @Sendable func follow(_ visit: Visit) async throws -> Response {
        guard let type = visit.target.value("type") else {
            throw SocotoFailure.invalid("Verify requires a verification type")
        }
        guard let token = visit.target.value("token") else {
            throw SocotoFailure.invalid("Verify requires a token or a token hash")
        }
        let link = try Self.link(type)
        let realm = realm(visit)
        let redirect = redirect(realm)
        let place = redirect.place(visit)
        guard visit.request.method != .head else { return Response(status: 200) }
        try count(visit, Self.verifyRequests)
        let isFlow = token.hasPrefix(Self.flowMark)
        if link == .recovery, place == redirect.site {
            // Without an app to lead to, the new password is asked for here.
            guard try await resetState(token, in: realm) == .works else {
                return Self.lead(to: Self.refusal(place, isFlow: isFlow))
            }
            return Self.lead(
                to: SocotoRedirect.query(premises.base(of: realm) + "/reset", [("token", token)]))
        }
        if isFlow, let code = try await enter(token, link, in: realm) {
            return Self.lead(
                to: SocotoRedirect.query(told(place, link, redirect), [("code", code)]))
        }
        if !isFlow, let grant = try await redeem(token, link, in: realm) {
            return Self.lead(
                to: SocotoRedirect.fragment(told(place, link, redirect), try items(grant, type)))
        }
        return Self.lead(to: Self.refusal(place, isFlow: isFlow))
    }

    /// Our own page works without script, so it is told in its query what a
    /// fragment would tell a script.
    private func told(_ place: String, _ link: SocotoLink?, _ redirect: SocotoRedirect) -> String {
        guard place == redirect.site, let link else { return place }
        return SocotoRedirect.query(place, [("done", link.rawValue)])
    }

    private func items(_ grant: Grant, _ type: String) throws -> [(String, String)] {
        let now = premises.now(in: grant.account.realm)
        let life = tokens.life(Self.accessLife, of: grant.account)
        return [
            ("access_token", try accessToken(grant, at: now)),
            ("expires_at", String((now + life).seconds)),
            ("expires_in", String(life.components.seconds)),
            ("refresh_token", grant.refreshToken), ("sb", ""),
            ("token_type", "bearer"), ("type", type),
        ]
    }

    /// A flow's client reads the query, the others' the fragment.
    private static func refusal(_ place: String, isFlow: Bool) -> String {
        let failure = SocotoFailure.linkExpired
        let items = [
            ("error", "access_denied"), ("error_code", failure.code),
            ("error_description", failure.message),
        ]
        return SocotoRedirect.fragment(
            isFlow ? SocotoRedirect.query(place, items) : place, items + [("sb", "")])
    }

    private static func lead(to place: String) -> Response {
        Response(status: 303, headers: ["Location": place, "Referrer-Policy": "no-referrer"])
    }
}
