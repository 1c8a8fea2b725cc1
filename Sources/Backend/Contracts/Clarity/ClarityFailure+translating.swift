import Web

extension ClarityContract {
    /// Whatever was thrown, in the words of the server that was asked.
    @Sendable static func failed(_ error: any Error, _ request: Request) -> Response {
        ClarityDialect(request) == .google
            ? ClarityFailure(error).response : ClarityProblem(error, to: request).response
    }
}

extension ClarityFailure {
    /// Whatever was thrown; what nobody foresaw is a 500 that says nothing of
    /// the inside.
    fileprivate init(_ error: any Error) {
        switch error {
        case let failure as ClarityFailure: self = failure
        case let fault as BodyFault: self = Self.malformed(Self.words(fault))
        case let problem as Problem: self.init(problem)
        case let error where error.isBusy: self = .busy
        default: self = .inside
        }
    }

    /// Google knows no 405.
    private init(_ problem: Problem) {
        switch problem.status {
        case 404, 405: self = .notFound
        case 400, 415: self = .malformed(problem.detail)
        default:
            self.init(problem.status, problem.detail, reason: "invalid", status: nil)
            headers = problem.headers
        }
    }

    private static func words(_ fault: BodyFault) -> String {
        switch fault {
        case .mediaType, .malformed: "Syntax error."
        case .notObject: "Root element must be a message."
        case .noText(let name): "/\(name) must be string"
        case .tooLong(let name, let limit): "/\(name) must have at most \(limit) bytes"
        case .holdsNUL(let name): "/\(name) must not hold NUL"
        }
    }
}
