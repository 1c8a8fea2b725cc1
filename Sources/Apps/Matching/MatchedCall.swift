package import Web

/// A call of an app that an observed request matches.
package struct MatchedCall: Sendable {
    package var name: String
    package var call: Call
    /// The request's values of the call's variables, by name.
    package var variables: [String: JSON]
}
