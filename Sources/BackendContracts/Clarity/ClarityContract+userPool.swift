import Backend
import Web

/// Cognito itself, behind the Cognito backend: what its user pools let a user do with an access
/// token. Its operations share one path, and a header names them.
extension ClarityContract {
    var userPoolRoutes: [Route] {
        [
            route(
                .post, "/cognito/\(Self.userPoolHost)/", Self.callUserPool,
                .json + .token + [.session, .tokenAccount, .accountActive])
        ]
    }

    private static let userPoolHost = "cognito-idp.us-east-1.amazonaws.com"
    private static let operationPrefix = "AWSCognitoIdentityProviderService."

    /// Whether a request is for Cognito itself.
    static func isUserPool(_ request: Request) -> Bool {
        let segments = (try? RequestTarget(parsing: request.target))?.segments ?? []
        return segments.dropFirst(3).first == userPoolHost
    }

    /// POST /, with `X-Amz-Target: AWSCognitoIdentityProviderService.DeleteUser`.
    func callUserPool(_ context: RequestContext) async throws -> Response {
        let operation = context.request.headers["X-Amz-Target"] ?? ""
        guard operation == Self.operationPrefix + "DeleteUser" else {
            throw UserPoolFailure.unknownOperation
        }
        guard context.request.mediaType == UserPoolFailure.mediaType else {
            throw UserPoolFailure.unknownOperation
        }
        let body = try JSONBody(bytes: context.request.body)
        CheckTrace.record(.body, true, "JSON, \(context.request.body.count) B")
        let token = try body.text("AccessToken", limit: JSONBody.tokenLimit).orThrow(
            UserPoolFailure.missingToken)
        let (session, account) = try await findCognitoSession(
            of: token, invalid: UserPoolFailure.invalidToken, expired: UserPoolFailure.expiredToken
        ).orThrow(UserPoolFailure.userNotFound)
        guard session.revokedAt == nil else { throw UserPoolFailure.revokedToken }
        guard account.disabledAt == nil else { throw UserPoolFailure.userDisabled }
        try await database.write { connection in try connection.remove(account: account.id) }
        return Response(status: 200, headers: ["Content-Type": UserPoolFailure.mediaType])
    }
}

/// A failure of Cognito: `{"__type","message"}`.
struct UserPoolFailure: ContractFailure {
    let row: FailureRow

    static let mediaType = "application/x-amz-json-1.1"

    var response: Response {
        var response = response(["__type": .string(code), "message": .string(message)])
        response.headers["Content-Type"] = Self.mediaType
        response.headers["x-amzn-ErrorType"] = code + ":"
        return response
    }
}

extension UserPoolFailure {
    static let unknownOperation = Self(
        400, "UnknownOperationException", "The operation is not available.", [.body])
    static let missingToken = Self(
        400, "InvalidParameterException", "Missing required parameter AccessToken")
    static let invalidToken = Self(
        400, "NotAuthorizedException", "Invalid Access Token", .token + [.session])
    static let expiredToken = Self(
        400, "NotAuthorizedException", "Access Token has expired", [.expiry])
    static let revokedToken = Self(
        400, "NotAuthorizedException", "Access Token has been revoked", [.session])
    static let userDisabled = Self(
        400, "NotAuthorizedException", "User is disabled.", [.accountActive])
    static let userNotFound = Self(
        400, "UserNotFoundException", "User does not exist.", [.session, .tokenAccount])
    static let busy = Self(
        400, "TooManyRequestsException", "Too many requests", headers: .retryAfterOneSecond)

    static func unexpected(_ request: Request) -> Self {
        Self(500, "InternalErrorException", "Internal error")
    }

    init(_ error: BodyError, to request: Request) {
        switch error {
        case .malformed, .notAnObject, .unsupportedMediaType:
            self.init(400, "SerializationException", error.message, [.body])
        case .notAString, .tooLong, .containsNUL:
            self.init(400, "InvalidParameterException", error.message)
        }
    }

    init(_ problem: Problem, to request: Request) {
        self.init(
            problem.status, "UnknownOperationException", problem.detail, headers: problem.headers)
    }
}
