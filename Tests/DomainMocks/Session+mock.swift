package import FoundationEssentials
import Web

@testable package import Simulator

extension Session {
    /// Created a minute before `now`; its access token expires in `seconds`.
    package static func mock(
        _ state: State = .active, at now: Date, endsIn seconds: Double? = 263, refresh: Bool = true,
        ended: Bool = false
    ) -> Session {
        let createdAt = now.addingTimeInterval(-60)
        func summary(_ masked: String, isJWT: Bool, expiresAt: Date?) -> TokenSummary {
            TokenSummary(
                maskedValue: masked, header: isJWT ? ["alg": "ES256"] : nil,
                claims: isJWT ? ["sub": "usr_8K"] : nil, issuedAt: createdAt, expiresAt: expiresAt,
                byteCount: 467,
                receivedAt: createdAt)
        }
        return Session(
            id: "ses_1", workspace: "main", app: "mystica", device: "dev_1", backend: "embedded",
            userID: "usr_8Kq2vN4hTz", email: "nora.lind@example.com", state: state,
            createdAt: createdAt, refreshedAt: nil, refreshCount: 1,
            endedAt: ended ? now.addingTimeInterval(-5) : nil,
            accessToken: summary(
                "eyJhbG…x9Qw", isJWT: true, expiresAt: seconds.map(now.addingTimeInterval)),
            refreshToken: refresh ? summary("rt_MR1…ed4o", isJWT: false, expiresAt: nil) : nil)
    }
}
