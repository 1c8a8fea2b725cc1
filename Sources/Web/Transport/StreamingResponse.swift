/// A response whose head has arrived, with its body or a stream of it.
package struct StreamingResponse: Sendable {
    /// Contains the body if it arrived together with the head.
    package var result: ExchangeResult
    /// The remaining body; nil if `result` contains it, or if there is no response.
    package var body: BodyStream?
    /// Valid after the end of `body`: its timings, and why it was aborted if it was.
    package let completion: @Sendable () -> Completion

    package init(
        _ result: ExchangeResult, body: BodyStream? = nil,
        completion: @escaping @Sendable () -> Completion = { Completion(timings: Timings()) }
    ) {
        self.result = result
        self.body = body
        self.completion = completion
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
