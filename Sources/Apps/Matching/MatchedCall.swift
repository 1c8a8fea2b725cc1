package import Web

/// The call of an app that somebody else's request is.
package struct MatchedCall: Sendable {
    package var name: String
    package var call: Call
    /// What stands in it where the call has variables, by name.
    package var variables: [String: JSON]
}
