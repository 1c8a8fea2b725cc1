import Web

/// How often one address may ask, as the real server has it.
extension SocotoContract {
    static let tokenRequests = RateLimit(name: "token", count: 150, window: .seconds(300))
    static let verifyRequests = RateLimit(name: "verify", count: 30, window: .seconds(300))

    /// Counts a request, before anything it has to wait for: of many that
    /// come at once none can slip through while another's hash is awaited.
    func count(_ visit: Visit, _ limit: RateLimit) throws(SocotoFailure) {
        let end = premises.limits.take(
            limit, of: visit.request.peer, in: realm(visit), at: premises.now(in: realm(visit)))
        guard end == nil else { throw .tooMany }
    }
}
