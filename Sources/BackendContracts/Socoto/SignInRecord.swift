import Backend
import Web

/// How a user signed in, as stored in a session's `contractData`: the methods used, newest first.
struct SignInRecord: Sendable, Equatable {
    private(set) var entries: [Entry]
    /// The second factor presented; nil without one.
    private(set) var factorID: String?

    /// One method and when it was last used.
    struct Entry: Sendable, Equatable {
        let method: Method
        let usedAt: Timestamp
    }

    /// The raw value is the method's name in the `amr` claim.
    enum Method: String, Sendable {
        case password, otp, recovery, magiclink, invite, anonymous, oauth, totp
        case signup = "email/signup"
        case emailChange = "email_change"
        case phoneFactor = "mfa/phone"

        var isSecondFactor: Bool { self == .totp || self == .phoneFactor }

        /// Whether the user may have forgotten the password.
        var isRecovery: Bool { self == .otp || self == .magiclink || self == .recovery }
    }

    init(_ method: Method, at now: Timestamp) { entries = [Entry(method: method, usedAt: now)] }

    /// A session from before methods were recorded began with a password.
    init(_ session: BackendSession) {
        let json = (try? JSON(parsing: session.contractData)) ?? .null
        factorID = json["factor"]?.string
        // A record with a single method has it at its top.
        let items = if case .array(let items)? = json["methods"] { items } else { [json] }
        entries = items.compactMap { item in
            guard let method = item["method"]?.string.flatMap(Method.init),
                let time = item["at"]?.int
            else { return nil }
            return Entry(method: method, usedAt: Timestamp(milliseconds: time))
        }
        if entries.isEmpty { self = SignInRecord(.password, at: session.createdAt) }
    }

    var contractData: String {
        let items = entries.map { entry -> JSON in
            ["method": .string(entry.method.rawValue), "at": .int(entry.usedAt.milliseconds)]
        }
        let json: JSON = ["methods": .array(items), "factor": JSON(factorID)]
        return json.description
    }

    /// Adds a second factor of the session, or its new time.
    mutating func present(_ factor: Factor, at now: Timestamp) {
        let method: Method =
            switch factor.kind {
            case .totp: .totp
            case .phone: .phoneFactor
            }
        entries.removeAll { $0.method == method }
        entries.insert(Entry(method: method, usedAt: now), at: 0)
        factorID = factor.id
    }

    /// Removes the second factor that `factor` was.
    mutating func forget(_ factor: Factor) {
        guard factorID == factor.id else { return }
        factorID = nil
        entries.removeAll { $0.method == (factor.kind == .totp ? .totp : .phoneFactor) }
    }

    /// The authenticator assurance level: 2 once a second factor was presented.
    var level: Int { entries.contains(where: \.method.isSecondFactor) ? 2 : 1 }

    var aalClaim: JSON { .string("aal\(level)") }

    var amrClaim: JSON {
        .array(
            entries.map { entry in
                ["method": .string(entry.method.rawValue), "timestamp": .int(entry.usedAt.seconds)]
            })
    }
}
