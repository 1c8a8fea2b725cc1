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
        /// When it last connected, began a request or took an answer.
        var heardAt = ContinuousClock.now
        /// Whether it is one of the streams, which are counted.
        var isStream = false
        /// No further request is taken.
        var isClosing = false
        /// Its client leaving ends the task.
        var isFollowed = false
        /// The one that answers an upload.
        var task: Task<Void, Never>?

        /// Since when it has nothing under way; nil for one that keeps its
        /// place, in the middle of an answer or of an upload, and for one that
        /// is on its way out.
        var silence: Silence? {
            guard socket >= 0, deadline != nil else { return nil }
            switch phase {
            case .waiting: return Silence(since: heardAt)
            case .reading: return Silence(since: heardAt, isAmidst: number > 1)
            case .uploading, .starting, .working, .ready, .answering, .streaming: return nil
            }
        }

        /// Bytes of a body came, and lengthen the time until more must have
        /// come: by as much as they may take, and to no more than a rest.
        mutating func earn(_ bytes: Int, _ limits: ServerConfiguration) {
            guard let before = deadline else { return }
            let earned = Duration.milliseconds(bytes * 1_000) / max(limits.uploadRate, 1)
            deadline = min(before + earned, .now + limits.requestDeadline)
        }

        /// Ends the connection unless a request is complete in `limit`.
        mutating func expect(within limit: Duration) {
            heardAt = .now
            deadline = heardAt + limit
        }
    }

    /// How long nothing has come, and what for: whoever was served before and
    /// is in the middle of a further request goes last.
    struct Silence: Comparable {
        var since: ContinuousClock.Instant
        var isAmidst = false

        static func < (one: Self, other: Self) -> Bool {
            one.isAmidst == other.isAmidst ? one.since < other.since : other.isAmidst
        }
    }

    enum Phase {
        case waiting
        case reading(Incoming)
        /// The body is still coming, and the answer may be there already.
        case uploading(Upload, isHead: Bool, Response?)
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
        case refuse(Incoming, Problem)
        case work(Incoming, number: Int)
        case stream(Incoming, Upload, number: Int)
    }
}
