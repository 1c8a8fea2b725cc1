package import Web

/// Where a proxied request is sent, and how its exchange is interpreted.
package struct ProxyTarget: Sendable {
    /// The base URL that the request's path is appended to.
    let baseURL: String
    /// The names of the app's password fields, whose values are not stored.
    let passwordFields: Set<String>
    /// The call that an exchange makes; called with the request alone if faults may apply to it,
    /// and once with the finished exchange.
    let interpret: @Sendable (ObservedExchange) async throws -> ProxiedCall

    package init(
        baseURL: String, passwordFields: Set<String>,
        interpret: @escaping @Sendable (ObservedExchange) async throws -> ProxiedCall
    ) {
        self.baseURL = baseURL
        self.passwordFields = passwordFields
        self.interpret = interpret
    }
}

/// What is readable of a proxied exchange.
package struct ObservedExchange: Sendable {
    /// As the app sent it, not as a fault changed it.
    package let request: OutboundRequest
    package let isRequestComplete: Bool
    /// Nil if there is none.
    package let response: UpstreamResponse?
    package let isResponseComplete: Bool
}

/// How the app's owner understands a proxied exchange.
package struct ProxiedCall: Sendable {
    /// Its origin, and the secrets that the app's manifest declares.
    let context: ExchangeContext
    /// Applies the recorded exchange's effects.
    let follow: @Sendable (Recorder.RecordedExchange) async throws -> Void

    package init(
        context: ExchangeContext,
        follow: @escaping @Sendable (Recorder.RecordedExchange) async throws -> Void
    ) {
        self.context = context
        self.follow = follow
    }
}
