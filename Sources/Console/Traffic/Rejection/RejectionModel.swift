/// Why a server rejected a request (`traffic/rejection`).
struct RejectionModel: Encodable, Sendable {
    /// Whether the checks are the server's own or inferred.
    var rejectionNote: String
    var checks: [Check]
    /// One sentence that states the cause.
    var cause: String

    struct Check: Encodable, Sendable {
        var checkTitle: String
        /// The CSS class: `passed`, `failed`, `notReached`, `unknown`.
        var state: String
        /// For screen readers: `passed`, `failed`, `not reached`, `not known`.
        var stateText: String
        /// `check`, `cross`, or nil for a dash.
        var checkIcon: String?
        /// `exp was 12 s ago`, `not reached`.
        var evidence: String
    }
}
