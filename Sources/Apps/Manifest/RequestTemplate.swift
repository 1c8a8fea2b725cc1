package import Web

/// A request with `{variables}` in it.
package struct RequestTemplate: Sendable, Equatable {
    package var method: Method
    /// Appended to the backend's base.
    package var path: String
    /// Replaces the backend's base: a URL, or a setting that holds a URL or a path below the
    /// backend's base.
    package var base: String?
    package var query: [Pair]
    package var headers: [Pair]
    package var body: Body
    /// Members of the JSON body that are omitted when they have no value.
    package var optionalMembers: [String]
    /// The captured value sent as `Authorization: Bearer`.
    package var bearerName: String?

    package struct Pair: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    package enum Body: Sendable, Equatable {
        case none
        /// JSON whose strings may contain variables; a string that is a single variable gets the
        /// variable's type.
        case json(JSON)
        /// `application/x-www-form-urlencoded`.
        case form([Pair])
    }
}
