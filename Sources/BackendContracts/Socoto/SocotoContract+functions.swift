import Backend
import Web

/// The functions: `/rest/v1/rpc/{function}`.
extension SocotoContract {
    var functionRoutes: [Route] {
        [Method.get, .post].map {
            apiKeyRoute($0, Self.functionPath, Self.callFunction, [.permission])
        }
            + [Method.put, .patch, .delete].map {
                apiKeyRoute($0, Self.functionPath, Self.refuseCall, [])
            }
    }

    static let functionPath = "/rest/v1/rpc/{function}"

    /// The only function deletes the signed-in user: the auth server has no endpoint for users that
    /// does, so projects add one of this name.
    static let deletingFunction = "delete_user"

    func callFunction(_ context: RequestContext) async throws -> Response {
        let client = try requester(context.request)
        let isPost = context.request.method == .post
        let names: [String]
        if isPost {
            guard
                let json = context.request.body.isEmpty
                    ? [:]
                    : try? JSONReader.read(context.request.body, maxDepth: RowPayload.maxDepth)
            else { throw RestFailure.invalidBody }
            names = json.members.map(\.name)
        } else {
            names = context.target.query.map(\.name).filter { !["apikey", "select"].contains($0) }
        }
        let function = context.parameters["function"] ?? ""
        guard function == Self.deletingFunction, names.isEmpty else {
            throw RestFailure.functionNotFound(function, names, isPost: isPost)
        }
        guard client.role != .anon else { throw RestFailure.functionDenied(function) }
        guard isPost else { throw RestFailure.readOnlyTransaction("DELETE") }
        if let user = client.subject {
            try await write { connection, _ in
                guard try connection.account(user, in: realm) != nil else { return }
                try connection.remove(account: user)
            }
        }
        return Response(status: 204)
    }

    func refuseCall(_ context: RequestContext) async throws -> Response {
        throw RestFailure.invalidCallMethod(context.request.method)
    }
}
