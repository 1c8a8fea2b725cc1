import Web

/// What a contract answers on purpose, whatever its status: no error of ours.
protocol ExpectedError: Error {}

/// One app's server: its routes, and how it words a failure.
struct Contract: Sendable {
    /// The second segment of every path.
    let id: String
    /// All patterns begin with `/{workspace}/<id>`.
    let router: Router
    let accessTokens: AccessTokens
    /// Puts whatever a handler threw, or the router, into its own dialect.
    let makeFailureResponse: @Sendable (any Error, Request) -> Response
    /// The checks on which a failure of its own may rest, likeliest last.
    var failedChecks: @Sendable (any Error) -> [RequestCheck]? = { _ in nil }
    /// The last word on every answer, whatever it was: headers that browsers
    /// of other origins need, the answer to their preflight.
    var finalize: @Sendable (Request, Response) -> Response = { $1 }
    /// What a client must know of it in a realm: keys, names.
    var clientSettings: @Sendable (Realm) -> [ContractInfo.ClientSetting] = { _ in [] }
}
