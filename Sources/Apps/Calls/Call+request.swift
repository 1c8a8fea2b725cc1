package import Web

extension Call {
    /// The request as it will leave, from a base URL and variables.
    ///
    /// Values are escaped for the place they stand in (path, query, form,
    /// JSON); CR, LF and NUL never enter a header. Throws a `Problem` naming
    /// the variable when the bearer's value is missing.
    package func request(
        base: String, variables: Variables, timeout: Duration
    ) throws(Problem) -> OutboundRequest {
        preconditionFailure("not built yet")
    }
}
