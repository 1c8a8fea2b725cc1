import SQLite
import Web

/// How somebody signed in, as a session keeps it in its `facts`.
struct SocotoSession: Sendable, Equatable {
    let method: Method
    let at: Moment

    /// The raw value is the word of the claim `amr`.
    enum Method: String, Sendable {
        case password, otp, recovery
        case signup = "email/signup"
        case emailChange = "email_change"
    }

    init(_ method: Method, at now: Moment) {
        self.method = method
        at = now
    }

    init?(_ session: Session) {
        guard let json = try? JSON(parsing: session.facts),
            let method = json["method"]?.string.flatMap(Method.init), let time = json["at"]?.int
        else { return nil }
        self.method = method
        at = Moment(milliseconds: time)
    }

    var facts: String {
        let json: JSON = ["method": .string(method.rawValue), "at": .int(at.milliseconds)]
        return json.description
    }

    /// The claim of the same name.
    var amr: JSON { [["method": .string(method.rawValue), "timestamp": .int(at.seconds)]] }
}
