/// Why a server said no (`traffic/rejection`).
struct RejectionModel: Encodable, Sendable {
    /// `as the server made them` or that they were derived from here.
    var rejectionNote: String
    var checks: [Check]
    /// One sentence that names the cause.
    var cause: String

    struct Check: Encodable, Sendable {
        var checkTitle: String
        /// `passed`, `failed`, `notReached`, `unknown`: the class.
        var state: String
        /// For ears: `passed`, `failed`, `not reached`, `not known`.
        var stateText: String
        /// `check`, `cross`, or nil for a dash.
        var checkIcon: String?
        /// `exp was 12 s ago`, `not reached`.
        var evidence: String
    }
}
