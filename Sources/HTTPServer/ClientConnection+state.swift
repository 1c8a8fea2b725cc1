import Web

/// State of a connection and of the request on it.
extension ClientConnection {
    struct State {
        /// May be shut down while the connection is open; -1 afterwards.
        var socket: Int32
        var phase = Phase.idle
        /// Number of requests so far; a response must be to the last one.
        var requestNumber = 0
        /// When the connection is closed unless a request is complete by then.
        var deadline: ContinuousClock.Instant?
        /// When it last connected, began a request or got a response.
        var lastActivityAt = ContinuousClock.now
        /// Whether it counts as one of the streams.
        var holdsStreamSlot = false
        /// Whether it accepts no further request.
        var isClosing = false
        /// Whether the task is canceled when the client disconnects.
        var cancelsOnDisconnect = false
        /// Whether the request is a HEAD, whose response has no body.
        var isHead = false
        /// The task that responds to an upload.
        var uploadTask: Task<Void, Never>?

        /// How long the connection has been idle; nil if it may not be evicted, in the middle of a
        /// response or an upload, and if it is already closing.
        var idlePeriod: IdlePeriod? {
            guard socket >= 0, deadline != nil else { return nil }
            switch phase {
            case .idle: return IdlePeriod(since: lastActivityAt)
            case .reading: return IdlePeriod(since: lastActivityAt, isMidRequest: requestNumber > 1)
            case .uploading, .starting, .suspended, .continuing, .ready, .sending, .streaming:
                return nil
            }
        }

        /// Extends the deadline after `bytes` of a body: by the time they take at the minimum rate,
        /// at most to `requestDeadline` from now.
        mutating func extendDeadline(_ bytes: Int, _ limits: ServerConfiguration) {
            guard let currentDeadline = deadline else { return }
            let allowance = Duration.milliseconds(bytes * 1_000) / max(limits.minimumUploadRate, 1)
            deadline = min(currentDeadline + allowance, .now + limits.requestDeadline)
        }

        /// Closes the connection unless a request is complete within `limit`.
        mutating func setDeadline(within limit: Duration) {
            lastActivityAt = .now
            deadline = lastActivityAt + limit
        }
    }

    /// An idle period, ordered for eviction: a connection in the middle of a second or later
    /// request is evicted last.
    struct IdlePeriod: Comparable {
        var since: ContinuousClock.Instant
        var isMidRequest = false

        static func < (lhs: Self, rhs: Self) -> Bool {
            lhs.isMidRequest == rhs.isMidRequest ? lhs.since < rhs.since : rhs.isMidRequest
        }
    }

    enum Phase {
        case idle
        case reading(PendingRequest)
        /// The body is still being received; the response may exist already.
        case uploading(UploadBuffer, Response?)
        /// The task runs on libmicrohttpd's thread.
        case starting
        /// Suspended until the task responds.
        case suspended(Task<Void, Never>)
        /// Resumed; libmicrohttpd's thread will continue the task with this job.
        case continuing(Task<Void, Never>, UnownedJob)
        /// Resumed; libmicrohttpd will ask for the response.
        case ready(Response)
        case sending
        case streaming(ResponseBuffer)
    }

    /// The action to perform after the lock is released.
    enum Step {
        case wait
        case queue(Response)
        case refuse(PendingRequest, Problem)
        case startResponder(PendingRequest, number: Int)
        case continueTask(Task<Void, Never>, UnownedJob)
        case startUpload(PendingRequest, UploadBuffer, number: Int)
    }
}
