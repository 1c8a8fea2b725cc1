import Backend
import Web

/// A failure response of a server, as a row of the server's table of errors.
struct FailureRow: Sendable, Equatable {
    let status: Int
    /// The server's name of the failure; empty for servers that name none.
    let code: String
    let message: String
    /// The checks that may have caused it.
    let failedChecks: [RequestCheck]
    /// What the server adds to the message, in its own format.
    let details: JSON?
    let headers: Headers
}

/// A failure of one server. Its type writes the row in the server's format.
protocol ServerFailure: ExpectedError, Sendable, Equatable {
    var row: FailureRow { get }

    init(row: FailureRow)
}

extension ServerFailure {
    init(
        _ status: Int, _ code: String, _ message: String,
        _ failedChecks: [RequestCheck] = [.fields], details: JSON? = nil, headers: Headers = [:]
    ) {
        self.init(
            row: FailureRow(
                status: status, code: code, message: message, failedChecks: failedChecks,
                details: details, headers: headers))
    }

    /// A failure of a server without codes.
    init(
        _ status: Int, _ message: String, _ failedChecks: [RequestCheck] = [.fields],
        details: JSON? = nil, headers: Headers = [:]
    ) { self.init(status, "", message, failedChecks, details: details, headers: headers) }

    var status: Int { row.status }
    var code: String { row.code }
    var message: String { row.message }
    var details: JSON? { row.details }
    var failedChecks: [RequestCheck] { row.failedChecks }

    /// A response with this body, and the row's status and headers.
    func response(_ body: JSON) -> Response {
        .json(body, status: status, headers: row.headers)
    }
}

/// A failure of a contract with one table of errors, to which every error is mapped.
protocol ContractFailure: ServerFailure {
    /// Too much work at the moment: a retry helps.
    static var busy: Self { get }

    /// Any other error, without internal details.
    static func unexpected(_ request: Request) -> Self

    /// A body, or a field in it, that cannot be read.
    init(_ error: BodyError, to request: Request)

    /// A path without a route, or a request that the router rejects.
    init(_ problem: Problem, to request: Request)
}

extension ContractFailure {
    /// Maps any error to a row of the table.
    init(_ error: any Error, to request: Request) {
        switch error {
        case let failure as Self: self = failure
        case let error as BodyError: self.init(error, to: request)
        case let problem as Problem: self.init(problem, to: request)
        case let error where error.isBusy: self = .busy
        default: self = .unexpected(request)
        }
    }
}

extension Headers {
    /// The headers of a response to a client that should try again soon.
    static let retryAfterOneSecond: Headers = ["Retry-After": "1"]
}
