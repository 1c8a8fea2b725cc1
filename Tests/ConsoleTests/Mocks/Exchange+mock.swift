import FoundationEssentials
import Web

@testable import Traffic

extension Exchange {
    static func mock(
        _ id: String, after cause: String? = nil, status: Int? = 200,
        url: String = "http://127.0.0.1:7071/main/mystica/api/v1/auth/me",
        timings: Timings = Timings(firstByte: 2.85, total: 3.1)
    ) -> Exchange {
        Exchange(
            id: id, sequence: 1, workspace: "main", app: "mystica", device: "dev_1",
            backend: "embedded", call: "me", cause: .launch, causeEvent: nil, causeExchange: cause,
            attempt: 1, method: "GET", url: url, status: status, failure: nil,
            startedAt: Date(timeIntervalSince1970: 1_795_271_690), timings: timings,
            requestBytes: 0, responseBytes: 118, fault: nil)
    }
}
