package import FoundationEssentials
package import Web

/// A simulated failure: its kind, the calls it affects, and how often.
///
/// Faults apply in order of creation, exactly as often as configured. A fault's label is recorded
/// with every exchange it affected.
package struct Fault: Sendable, Equatable {
    /// `cnd_…`
    package var id: String
    /// Its position in creation order, which is the order of application.
    package var sequence: Int64
    package var workspace: String
    /// Its definition.
    package var draft: Draft
    /// The preset it was created from.
    package var presetID: String?
    /// How often it was applied.
    package var appliedCount: Int
    package var createdAt: Date
    /// The exchange it affected last.
    package var lastAffected: AffectedExchange?

    package var kind: Kind { draft.kind }

    /// How many applications are left; nil for unlimited.
    package var remaining: Int? { draft.times.map { max(0, $0 - appliedCount) } }

    /// Whether it applies before the backend processes the request or after.
    package enum Phase: String, Sendable, CaseIterable { case before, after }

    /// An exchange affected by a fault.
    package struct AffectedExchange: Sendable, Equatable {
        package var exchangeID: String
        /// `POST /auth/login`, without a query.
        package var call: String
        package var at: Date
    }

    /// Whether workspace, app, device and call of the exchange match its scope.
    func applies(to context: ExchangeContext) -> Bool {
        workspace == context.workspace && draft.app.map { $0 == context.app } ?? true
            && draft.device.map { $0 == context.device } ?? true
            && draft.call.map { $0 == context.call } ?? true
    }

    /// The type of failure; the raw value is its API name.
    package enum Kind: String, Sendable, CaseIterable {
        case offline, slow, timeout, reset, status, rateLimited
        case accessTokenExpired, wrongAudience, wrongKey, refreshTokenReused
        case accountLocked, codeExpired, clockSkew, mailLost

        /// The component that produces the failure.
        package var layer: Layer {
            switch self {
            case .offline, .slow, .timeout, .reset, .status, .rateLimited: .network
            case .accessTokenExpired, .wrongAudience, .wrongKey, .refreshTokenReused: .token
            case .accountLocked, .codeExpired, .clockSkew, .mailLost: .backend
            }
        }

        /// Whether it can be applied after the backend has processed the request.
        package var supportsAfterPhase: Bool { layer == .network }

        /// The draft settings it uses.
        package var settingNames: Set<String> {
            switch self {
            case .slow, .timeout: ["delay"]
            case .status: ["status", "body", "headers"]
            case .rateLimited: ["retryAfter", "body"]
            case .clockSkew: ["skew"]
            default: []
            }
        }

        /// Whether it ends the exchange when applied before the backend.
        var endsExchange: Bool {
            switch self {
            case .offline, .timeout, .reset, .status, .rateLimited: true
            default: false
            }
        }
    }

    /// Where a fault acts, and on which calls.
    package enum Layer: Sendable {
        /// The network between device and backend; any call, any backend.
        case network
        /// A token in the request; only calls that carry one.
        case token
        /// The embedded backend, over its real socket.
        case backend
    }

    /// The definition of a fault: kind, scope, count and settings.
    package struct Draft: Sendable, Hashable {
        package var kind: Kind
        /// Only calls of this app, this device, this call name; nil for all.
        package var app: String?
        package var device: String?
        package var call: String?
        /// The number of requests to affect; nil until turned off.
        package var times: Int?
        package var phase: Phase
        /// Status, body and headers of the replacement response.
        package var status: Int?
        package var body: String?
        package var headers: [String: String]
        /// Seconds: the delay, or the time until the timeout.
        package var delay: Double?
        /// Seconds for the `Retry-After` header.
        package var retryAfter: Int?
        /// Seconds the backend's clock is ahead of the device's.
        package var skew: Int?

        package init(
            _ kind: Kind, app: String? = nil, device: String? = nil, call: String? = nil,
            times: Int? = nil, phase: Phase = .before, status: Int? = nil, body: String? = nil,
            headers: [String: String] = [:], delay: Double? = nil, retryAfter: Int? = nil,
            skew: Int? = nil
        ) {
            self.kind = kind
            self.app = app
            self.device = device
            self.call = call
            self.times = times
            self.phase = phase
            self.status = status
            self.body = body
            self.headers = headers
            self.delay = delay
            self.retryAfter = retryAfter
            self.skew = skew
        }

        package static let maxDelay = 120.0
        package static let defaultDelay = 3.0
        package static let maxTimes = 1_000
        package static let defaultRetryAfter = 30
        package static let defaultSkew = 3_600
        /// One year.
        package static let maxSkew = 31_536_000
        package static let bodyLimit = 64 << 10

        /// The backend processes the request, but the response to one call is lost.
        package static let dropResponse = Draft(.reset, times: 1, phase: .after)

        /// The fault label of an exchange, such as `offline, 1 of 3`. `originalOutcome` is the
        /// backend's outcome before the response was lost or replaced.
        func label(ordinal number: Int, originalOutcome: String? = nil) -> String {
            let count = times.map { "\(number) of \($0)" } ?? "no. \(number)"
            let after = originalOutcome.map { " after \($0)" } ?? ""
            return "\(displayName)\(after), \(count)"
        }

        /// Its name on exchanges and chips.
        package var displayName: String {
            switch kind {
            case .reset: "connection reset"
            case .status: "status \(status ?? 500)"
            // The words of the API name.
            default: kind.rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
            }
        }
    }
}

extension Fault.Draft {
    /// Validation errors by field name.
    package var fieldErrors: [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        func addError(_ name: String, _ detail: String, if isWrong: Bool) {
            if isWrong { errors.add("/" + name, detail) }
        }
        func isOutside<Number>(_ range: ClosedRange<Number>, _ value: Number?) -> Bool {
            value.map { !range.contains($0) } ?? false
        }
        let settings: [(String, Bool)] = [
            ("status", status != nil), ("body", body != nil), ("headers", !headers.isEmpty),
            ("delay", delay != nil), ("retryAfter", retryAfter != nil), ("skew", skew != nil),
        ]
        for (name, isSet) in settings {
            addError(
                name, "does not apply to \(kind.rawValue)",
                if: isSet && !kind.settingNames.contains(name))
        }
        addError(
            "times", "must be 1 to \(Self.maxTimes), or omitted for no limit",
            if: isOutside(1...Self.maxTimes, times))
        addError(
            "phase", "must be before for \(kind.rawValue)",
            if: phase == .after && !kind.supportsAfterPhase)
        addError("status", "is missing: 200 to 599", if: kind == .status && status == nil)
        addError("status", "must be 200 to 599", if: isOutside(200...599, status))
        addError(
            "body", "is longer than \(Self.bodyLimit) bytes",
            if: (body?.utf8.count ?? 0) > Self.bodyLimit)
        addError(
            "delay", "must be above 0 and at most \(Int(Self.maxDelay)) s",
            if: delay.map { !($0 > 0 && $0 <= Self.maxDelay) } ?? false)
        addError("retryAfter", "must be 0 to 86400 s", if: isOutside(0...86_400, retryAfter))
        addError(
            "skew", "must be −\(Self.maxSkew) to \(Self.maxSkew) s, and not 0",
            if: skew == 0 || isOutside(-Self.maxSkew...Self.maxSkew, skew))
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            addError(
                "headers/\(name)", "is not a valid header field",
                if: !name.isHTTPToken || name.utf8.count > 128 || value.utf8.count > 1_024
                    || !value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
        return errors
    }
}
