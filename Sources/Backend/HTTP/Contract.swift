import Web

/// An error response that is part of a contract, whatever its status; not logged as a failure.
protocol ExpectedError: Error {}

/// The server of one app: its routes and error format.
struct Contract: Sendable {
    /// The second segment of every path.
    let id: String
    /// All patterns begin with `/{workspace}/<id>`.
    let router: Router
    let accessTokens: AccessTokens
    /// Converts an error of a handler or of the router to the contract's error format.
    let makeFailureResponse: @Sendable (any Error, Request) -> Response
    /// The checks that may have caused one of the contract's own errors, most likely last.
    var failedChecks: @Sendable (any Error) -> [RequestCheck]? = { _ in nil }
    /// Applied to every response last, such as for CORS headers and preflight responses.
    var finalize: @Sendable (Request, Response) -> Response = { $1 }
    /// What a client needs to know of the contract in a realm: keys, names.
    var clientSettings: @Sendable (Realm) -> [ContractInfo.ClientSetting] = { _ in [] }
}
