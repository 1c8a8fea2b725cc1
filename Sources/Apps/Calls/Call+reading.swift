package import Web

extension Call {
    /// What an answer means to this call.
    package func read(_ answer: Answer) -> Reading {
        preconditionFailure("not built yet")
    }

    /// What an answer means.
    package enum Reading: Sendable, Equatable {
        case success(captured: [String: JSON])
        /// One of `failures`, or none of them with the backend's own message
        /// (nil if it told none).
        case failure(Failure?, message: String?, status: Int)
        /// A success that cannot be read, or lacks what is required.
        case invalid(detail: String)
    }
}
