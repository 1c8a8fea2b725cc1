/// The OpenAPI description of a route (OpenAPI 3.1, Operation Object).
package struct Operation: Sendable {
    package let id: String
    package let summary: String
    /// Query parameters; path parameters are taken from the pattern.
    package var query: [Parameter]
    /// The JSON Schema of the body, if there is one.
    package var body: JSON?
    package var isBodyRequired: Bool
    package var responses: [ResponseSpec]

    package struct Parameter: Sendable {
        package let name: String
        package let schema: JSON
        package let description: String

        package init(_ name: String, _ schema: JSON, _ text: String) {
            self.name = name
            self.schema = schema
            self.description = text
        }
    }

    package struct ResponseSpec: Sendable {
        package let status: Int
        package let description: String
        package let mediaType: String?
        package let schema: JSON?
        /// Alternative media types, each with a plain text body.
        package let plainTextMediaTypes: [String]

        package init(
            _ status: Int, _ text: String, mediaType: String? = "application/json",
            schema: JSON? = nil, plainTextMediaTypes texts: [String] = []
        ) {
            self.status = status
            self.description = text
            self.mediaType = mediaType
            self.schema = schema
            self.plainTextMediaTypes = texts
        }
    }

    package init(
        _ id: String, _ summary: String, query: [Parameter] = [], body: JSON? = nil,
        isBodyRequired: Bool = true, responses: [ResponseSpec]
    ) {
        self.id = id
        self.summary = summary
        self.query = query
        self.body = body
        self.isBodyRequired = isBodyRequired
        self.responses = responses
    }
}
