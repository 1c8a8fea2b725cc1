/// What OpenAPI says of a route (OpenAPI 3.1, Operation Object).
package struct Operation: Sendable {
    package let id: String
    package let summary: String
    /// Query parameters; those of the path are read off the pattern.
    package var query: [Parameter]
    /// The JSON Schema of the body, if it takes one.
    package var body: JSON?
    package var bodyIsRequired: Bool
    package var answers: [Answer]

    package struct Parameter: Sendable {
        package let name: String
        package let schema: JSON
        package let text: String

        package init(_ name: String, _ schema: JSON, _ text: String) {
            self.name = name
            self.schema = schema
            self.text = text
        }
    }

    package struct Answer: Sendable {
        package let status: Int
        package let text: String
        package let type: String?
        package let schema: JSON?
        /// Media types it may have instead, each a plain text.
        package let texts: [String]

        package init(
            _ status: Int, _ text: String, type: String? = "application/json", schema: JSON? = nil,
            orText texts: [String] = []
        ) {
            self.status = status
            self.text = text
            self.type = type
            self.schema = schema
            self.texts = texts
        }
    }

    package init(
        _ id: String, _ summary: String, query: [Parameter] = [], body: JSON? = nil,
        bodyIsRequired: Bool = true, answers: [Answer]
    ) {
        self.id = id
        self.summary = summary
        self.query = query
        self.body = body
        self.bodyIsRequired = bodyIsRequired
        self.answers = answers
    }
}
