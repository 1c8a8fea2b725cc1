import Web

/// How far a connection is with the request on it.
extension Visitor {
    struct State {
        /// Ours to shut down while open, -1 afterwards.
        var socket: Int32
        var phase = Phase.waiting
        /// How many requests there were; an answer must be to the last.
        var number = 0
        /// When the connection ends unless a request is complete by then.
        var deadline: ContinuousClock.Instant?
        /// No further request is taken.
        var isClosing = false

        /// Until when it may go without a complete request; nil for one that
        /// keeps its place: it is in the middle of an answer, or of a request
        /// that is not its first.
        var patience: ContinuousClock.Instant? {
            guard socket >= 0 else { return nil }
            switch phase {
            case .waiting: return deadline
            case .reading: return number > 1 ? nil : deadline
            case .starting, .working, .ready, .answering, .streaming:
                return nil
            }
        }
    }

    enum Phase {
        case waiting
        case reading(Incoming)
        /// The task has begun, on this very thread.
        case starting(isHead: Bool)
        /// Suspended until the task answers.
        case working(Task<Void, Never>, isHead: Bool)
        /// Resumed; libmicrohttpd will come for the response.
        case ready(Response, isHead: Bool)
        case answering
        case streaming(StreamBody)
    }

    /// What to do when the lock is free again.
    enum Step {
        case wait
        case queue(Response, isHead: Bool)
        case work(Incoming, number: Int)
    }
}
