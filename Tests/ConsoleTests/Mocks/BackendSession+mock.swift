import FoundationEssentials
import Web

@testable import Simulator

extension Session {
    /// Began a minute before `now`; its access token ends in so many seconds.
    static func mock(
        _ state: State = .active, at now: Date, endsIn seconds: Double? = 263, refresh: Bool = true,
        ended: Bool = false
    ) -> Session {
        let began = now.addingTimeInterval(-60)
        func held(_ masked: String, jwt: Bool, end: Date?) -> TokenSummary {
            TokenSummary(
                maskedValue: masked, header: jwt ? ["alg": "ES256"] : nil,
                claims: jwt ? ["sub": "usr_8K"] : nil, issuedAt: began, expiresAt: end,
                byteCount: 467,
                receivedAt: began)
        }
        return Session(
            id: "ses_1", workspace: "main", app: "mystica", device: "dev_1", backend: "embedded",
            userID: "usr_8Kq2vN4hTz", email: "nora.lind@example.com", state: state,
            createdAt: began, refreshedAt: nil, refreshCount: 1,
            endedAt: ended ? now.addingTimeInterval(-5) : nil,
            accessToken: held("eyJhbG…x9Qw", jwt: true, end: seconds.map(now.addingTimeInterval)),
            refreshToken: refresh ? held("rt_MR1…ed4o", jwt: false, end: nil) : nil)
    }
}
