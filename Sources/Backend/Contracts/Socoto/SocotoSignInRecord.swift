import SQLite
import Web

/// How somebody signed in, as a session keeps it in its `facts`.
struct SocotoSignInRecord: Sendable, Equatable {
    let method: Method
    let signedInAt: Timestamp

    /// The raw value is the word of the claim `amr`.
    enum Method: String, Sendable {
        case password, otp, recovery
        case signup = "email/signup"
        case emailChange = "email_change"
    }

    init(_ method: Method, at now: Timestamp) {
        self.method = method
        signedInAt = now
    }

    init?(_ session: BackendSession) {
        guard let json = try? JSON(parsing: session.contractData),
            let method = json["method"]?.string.flatMap(Method.init), let time = json["at"]?.int
        else { return nil }
        self.method = method
        signedInAt = Timestamp(milliseconds: time)
    }

    var contractData: String {
        let json: JSON = ["method": .string(method.rawValue), "at": .int(signedInAt.milliseconds)]
        return json.description
    }

    /// The claim of the same name.
    var amrClaim: JSON {
        [["method": .string(method.rawValue), "timestamp": .int(signedInAt.seconds)]]
    }
}
