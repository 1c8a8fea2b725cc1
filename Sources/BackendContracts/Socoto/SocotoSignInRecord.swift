import Backend
import SQLite
import Web

/// How a user signed in, as stored in a session's `contractData`.
struct SocotoSignInRecord: Sendable, Equatable {
    let method: Method
    let signedInAt: Timestamp

    /// The raw value is the method's name in the `amr` claim.
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

    var amrClaim: JSON {
        [["method": .string(method.rawValue), "timestamp": .int(signedInAt.seconds)]]
    }
}
