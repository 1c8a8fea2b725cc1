/// A response whose head has arrived, with its body or a stream of it.
package struct StreamingResponse: Sendable {
    /// Contains the body if it arrived together with the head.
    package let result: ExchangeResult
    /// The remaining body; nil if `result` contains it, or if there is no response.
    package let body: Body?

    package init(_ result: ExchangeResult, body: Body? = nil) {
        self.result = result
        self.body = body
    }

    /// A body stream and its completion.
    package struct Body: Sendable {
        package let stream: BodyStream
        /// Valid after the end of the body: its timings, and why it was aborted if it was.
        package let completion: @Sendable () -> Completion

        package init(stream: BodyStream, completion: @escaping @Sendable () -> Completion) {
            self.stream = stream
            self.completion = completion
        }
    }

    package struct Completion: Sendable {
        package let timings: Timings
        package let failure: TransportFailure?

        package init(timings: Timings, failure: TransportFailure? = nil) {
            self.timings = timings
            self.failure = failure
        }
    }
}
