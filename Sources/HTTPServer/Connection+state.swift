import Web

/// How far a connection is with the request on it.
extension Connection {
    struct State {
        /// Ours to shut down while open, -1 afterwards.
        var socket: Int32
        var phase = Phase.idle
        /// How many requests there were; an answer must be to the last.
        var requestNumber = 0
        /// When the connection ends unless a request is complete by then.
        var deadline: ContinuousClock.Instant?
        /// When it last connected, began a request or took an answer.
        var lastActivityAt = ContinuousClock.now
        /// Whether it is one of the streams, which are counted.
        var holdsStreamSlot = false
        /// No further request is taken.
        var isClosing = false
        /// Its client leaving ends the task.
        var cancelsOnDisconnect = false
        /// The one that answers an upload.
        var uploadTask: Task<Void, Never>?

        /// Since when it has nothing under way; nil for one that keeps its
        /// place, in the middle of an answer or of an upload, and for one that
        /// is on its way out.
        var idlePeriod: IdlePeriod? {
            guard socket >= 0, deadline != nil else { return nil }
            switch phase {
            case .idle: return IdlePeriod(since: lastActivityAt)
            case .reading: return IdlePeriod(since: lastActivityAt, isMidRequest: requestNumber > 1)
            case .uploading, .starting, .suspended, .ready, .sending, .streaming: return nil
            }
        }

        /// Bytes of a body came, and lengthen the time until more must have
        /// come: by as much as they may take, and to no more than a rest.
        mutating func extendDeadline(_ bytes: Int, _ limits: ServerConfiguration) {
            guard let before = deadline else { return }
            let earned = Duration.milliseconds(bytes * 1_000) / max(limits.minimumUploadRate, 1)
            deadline = min(before + earned, .now + limits.requestDeadline)
        }

        /// Ends the connection unless a request is complete in `limit`.
        mutating func setDeadline(within limit: Duration) {
            lastActivityAt = .now
            deadline = lastActivityAt + limit
        }
    }

    /// How long nothing has come, and what for: whoever was served before and
    /// is in the middle of a further request goes last.
    struct IdlePeriod: Comparable {
        var since: ContinuousClock.Instant
        var isMidRequest = false

        static func < (one: Self, other: Self) -> Bool {
            one.isMidRequest == other.isMidRequest ? one.since < other.since : other.isMidRequest
        }
    }

    enum Phase {
        case idle
        case reading(PendingRequest)
        /// The body is still coming, and the answer may be there already.
        case uploading(UploadBuffer, isHead: Bool, Response?)
        /// The task has begun, on this very thread.
        case starting(isHead: Bool)
        /// Suspended until the task answers.
        case suspended(Task<Void, Never>, isHead: Bool)
        /// Resumed; libmicrohttpd will come for the response.
        case ready(Response, isHead: Bool)
        case sending
        case streaming(ResponseBuffer)
    }

    /// What to do when the lock is free again.
    enum Step {
        case wait
        case queue(Response, isHead: Bool)
        case refuse(PendingRequest, Problem)
        case startResponder(PendingRequest, number: Int)
        case startUpload(PendingRequest, UploadBuffer, number: Int)
    }
}
