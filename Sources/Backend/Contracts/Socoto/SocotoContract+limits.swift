import Web

/// Rate limits per client address, as at the real server.
extension SocotoContract {
    static let tokenRequestLimit = RateLimit(name: "token", count: 150, window: .seconds(300))
    static let verifyRequestLimit = RateLimit(name: "verify", count: 30, window: .seconds(300))

    /// Counts a request before anything asynchronous, so that concurrent requests cannot pass the
    /// limit while a hash is computed.
    func checkRateLimit(_ context: RequestContext, _ limit: RateLimit) throws(SocotoAuthFailure) {
        let nextAllowedAt = services.rateLimits.consume(
            limit, of: context.request.peer, in: realm(context),
            at: services.now(in: realm(context)))
        guard nextAllowedAt == nil else { throw .tooManyRequests }
    }
}
