package import Web

extension Fault {
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
            case .offline: "offline"
            case .slow: "slow"
            case .timeout: "timeout"
            case .reset: "connection reset"
            case .status: "status \(status ?? 500)"
            case .rateLimited: "rate limited"
            case .accessTokenExpired: "access token expired"
            case .wrongAudience: "wrong audience"
            case .wrongKey: "wrong key"
            case .refreshTokenReused: "refresh token reused"
            case .accountLocked: "account locked"
            case .codeExpired: "code expired"
            case .clockSkew: "clock skew"
            case .mailLost: "mail lost"
            }
        }
    }
}

extension Fault.Draft {
    /// Validation errors by field name.
    package var fieldErrors: [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        func addError(_ name: String, _ detail: String, if isWrong: Bool) {
            guard isWrong else { return }
            errors.add("/" + name, detail)
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
            if: times.map { !(1...Self.maxTimes).contains($0) } ?? false)
        addError(
            "phase", "must be before for \(kind.rawValue)",
            if: phase == .after && !kind.supportsAfterPhase)
        addError("status", "is missing: 200 to 599", if: kind == .status && status == nil)
        addError(
            "status", "must be 200 to 599", if: status.map { !(200...599).contains($0) } ?? false)
        addError(
            "body", "is longer than \(Self.bodyLimit) bytes",
            if: (body?.utf8.count ?? 0) > Self.bodyLimit)
        addError(
            "delay", "must be above 0 and at most \(Int(Self.maxDelay)) s",
            if: delay.map { !($0 > 0 && $0 <= Self.maxDelay) } ?? false)
        addError(
            "retryAfter", "must be 0 to 86400 s",
            if: retryAfter.map { !(0...86_400).contains($0) } ?? false)
        addError(
            "skew", "must be −\(Self.maxSkew) to \(Self.maxSkew) s, and not 0",
            if: skew.map { $0 == 0 || !(-Self.maxSkew...Self.maxSkew).contains($0) } ?? false)
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            addError(
                "headers/\(name)", "is not a valid header field",
                if: !Self.isHeaderName(name) || !Self.isHeaderValue(value))
        }
        return errors
    }

    private static func isHeaderName(_ name: String) -> Bool {
        name.isHTTPToken && name.utf8.count <= 128
    }

    private static func isHeaderValue(_ value: String) -> Bool {
        value.utf8.count <= 1_024 && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
