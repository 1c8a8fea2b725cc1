import Web

/// How often one address may ask, as the real server has it.
extension SocotoContract {
    static let tokenRequestLimit = RateLimit(name: "token", count: 150, window: .seconds(300))
    static let verifyRequestLimit = RateLimit(name: "verify", count: 30, window: .seconds(300))

    /// Counts a request, before anything it has to wait for: of many that
    /// come at once none can slip through while another's hash is awaited.
    func checkRateLimit(_ context: RequestContext, _ limit: RateLimit) throws(SocotoAuthFailure) {
        let end = services.rateLimits.consume(
            limit, of: context.request.peer, in: realm(context),
            at: services.now(in: realm(context)))
        guard end == nil else { throw .tooManyRequests }
    }
}
