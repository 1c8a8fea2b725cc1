import Core
import DesignTokens
import Simulator
import Storyboards
import Web

/// An operation of the API, declared once: its route, its parameters, its responses and its
/// handler.
///
/// The OpenAPI document follows from it (OpenAPI 3.1, Operation Object).
struct Endpoint: Sendable {
    let method: Method
    /// `/api/sessions/{session}`.
    let path: String
    let access: Route.Access
    let id: String
    let summary: String
    let query: [QueryReader.Parameter]
    /// The schema of the body; nil without one.
    let body: JSON?
    let isBodyOptional: Bool
    let success: Success
    /// The errors by status that need an explanation.
    let errors: KeyValuePairs<Int, String>
    let respond: @Sendable (APICall) async throws -> Response

    /// The description of a successful response.
    struct Success: Sendable {
        let status: Int
        let description: String
        /// The schema by media type.
        let content: [JSON.Member]
        let components: [JSON.Member]
    }

    init<Parameters, Output>(
        _ method: Method, _ path: String, _ id: String, _ summary: String,
        access: Route.Access = .key, isBodyOptional: Bool = false, rawBody: JSON? = nil,
        reading read: @escaping @Sendable (inout ParameterReader) -> Parameters,
        returning result: Returned<Output>, errors: KeyValuePairs<Int, String> = [:],
        handler: @escaping @Sendable (APICall, Parameters) async throws -> Output
    ) {
        var description = ParameterReader()
        _ = read(&description)
        let hasFields = description.body.schema != nil
        self.method = method
        self.path = path
        self.access = access
        self.id = id
        self.summary = summary
        self.query = description.query.parameters
        self.body = rawBody ?? description.body.schema
        self.isBodyOptional = isBodyOptional
        self.success = result.success
        self.errors = errors
        respond = { call in
            var reader = ParameterReader(call)
            if rawBody != nil {
                try BodyReader.requireJSON(call.context.request)
            } else if method != .get {
                reader.body = try BodyReader(
                    call.context.request, isOptional: isBodyOptional || !hasFields)
            }
            let parameters = read(&reader)
            try reader.finish()
            return result.response(try await handler(call, parameters))
        }
    }

    /// An operation without parameters but those of its path. With `rawBody`, the schema of a JSON
    /// body, the handler reads the body itself.
    init<Output>(
        _ method: Method, _ path: String, _ id: String, _ summary: String,
        access: Route.Access = .key, rawBody: JSON? = nil, returning result: Returned<Output>,
        errors: KeyValuePairs<Int, String> = [:],
        handler: @escaping @Sendable (APICall) async throws -> Output
    ) {
        self.init(
            method, path, id, summary, access: access, rawBody: rawBody, reading: { _ in },
            returning: result, errors: errors
        ) { call, _ in try await handler(call) }
    }
}

/// How an endpoint returns its output: the status, the description and the body.
struct Returned<Output>: Sendable {
    let success: Endpoint.Success
    let response: @Sendable (Output) -> Response
}

extension Returned {
    /// 200 with the output as JSON.
    static func ok(_ representation: Representation<Output>, _ description: String) -> Self {
        json(200, representation, description)
    }

    /// 201 with the output as JSON; `location` is the URL of what was created.
    static func created(
        _ representation: Representation<Output>, _ description: String,
        location: (@Sendable (Output) -> String)? = nil
    ) -> Self {
        json(201, representation, description, location: location)
    }

    private static func json(
        _ status: Int, _ representation: Representation<Output>, _ description: String,
        location: (@Sendable (Output) -> String)? = nil
    ) -> Self {
        Returned(
            success: .init(
                status: status, description: description,
                content: [.json(representation.schema)], components: representation.components)
        ) { output in
            var response = Response.plainJSON(representation.json(output), status: status)
            if let location { response.headers["Location"] = location(output) }
            return response
        }
    }
}

extension Returned where Output == Void {
    /// 204, without a body.
    static func noContent(_ description: String) -> Self {
        Returned(success: .init(status: 204, description: description, content: [], components: []))
        { .noContent }
    }
}

extension Returned where Output == Response {
    /// A response that the handler makes, with one of several bodies.
    static func response(
        _ status: Int, _ description: String, _ content: [JSON.Member],
        components: [JSON.Member] = []
    ) -> Self {
        Returned(
            success: .init(
                status: status, description: description, content: content, components: components)
        ) { $0 }
    }
}

extension JSON.Member {
    /// A JSON body with this schema, for an OpenAPI response.
    static func json(_ schema: JSON) -> JSON.Member {
        .init("application/json", ["schema": schema])
    }
}

/// A call of the API.
struct APICall: Sendable {
    let context: RequestContext
    let services: Services
    let accessGuard: Guard
    let encodedEvents: EncodedEventCache
    let stateCache: StateCache
    let walkthroughSessions: WalkthroughSessions
    let folders: AppFolders
    let pictures: PictureTaker

    /// The workspace that the header or the cookie names.
    var workspace: String { get throws(Problem) { try services.workspace(of: context) } }

    /// The value of a parameter of the path.
    func path(_ name: String) -> String { context.parameters[name] ?? "" }
}

/// Reads the parameters of an API call from its query and body.
///
/// An endpoint reads with one function, which runs once without a call to describe the parameters
/// for OpenAPI: it reads every parameter, whatever the values of others are, and reports errors by
/// `addError`.
struct ParameterReader {
    var query: QueryReader
    var body: BodyReader
    /// The call, for rules that depend on stored data; nil while the parameters are described.
    let call: APICall?

    /// A reader that describes.
    init() {
        query = QueryReader()
        body = BodyReader()
        call = nil
    }

    /// A reader of a call without a body.
    init(_ call: APICall) {
        query = QueryReader(call.context)
        body = BodyReader(members: [])
        self.call = call
    }

    /// Throws if any parameter is invalid or unknown.
    func finish() throws(Problem) {
        try query.finish()
        try body.finish()
    }
}

extension Response {
    /// 204, without a body.
    static let noContent = Response(status: 204)

    /// 303: the browser GETs `location` next (RFC 9110, 15.4.4).
    static func redirect(to location: String, setting cookie: String? = nil) -> Response {
        var response = Response(status: 303, headers: ["Location": location])
        if let cookie { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    /// A rendered page.
    static func html(_ bytes: [UInt8], status: Int = 200, setting cookie: String? = nil) -> Response
    {
        var response = Response(
            status: status, headers: ["Content-Type": "text/html; charset=utf-8"],
            body: .bytes(bytes))
        if let cookie { response.headers.add("Set-Cookie", cookie) }
        return response
    }
}

/// `?after=…&limit=…`: keyset pagination, newest first.
struct Paging: Sendable {
    /// The cursor of the previous page's last item.
    let after: String?
    /// 1 … 500.
    let limit: Int

    init(_ query: inout QueryReader) {
        after = query.string("after", "\"next\" of the previous page.")
        limit =
            query.value(
                "limit", "Page size; 50 by default.", schema: Schema.integer(in: 1...500),
                rule: "must be 1 to 500"
            ) { Int($0).flatMap { (1...500).contains($0) ? $0 : nil } } ?? 50
    }

    /// The page, of a list whose cursors are sequence numbers.
    func keyset() throws(Problem) -> Keyset {
        guard let after else { return Keyset(limit: limit) }
        guard let cursor = ListCursor(after) else {
            throw Problem.badParameter("after", "is not a cursor; use \"next\" of a list")
        }
        return Keyset(before: cursor.sequence, sortValue: cursor.sortValue, limit: limit)
    }
}

extension Problem {
    static func badParameter(_ name: String, _ detail: String) -> Problem {
        .invalidParameters([.init(pointer: "?\(name)", detail: detail)])
    }
}
