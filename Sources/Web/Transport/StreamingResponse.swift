/// An answer whose head is there: its body, or how to have it piece by piece.
package struct StreamingResponse: Sendable {
    /// With the body if that came along with the head, and none otherwise.
    package let result: ExchangeResult
    /// The body; nil if it is there already, or if there is no answer.
    package let body: Body?

    package init(_ result: ExchangeResult, body: Body? = nil) {
        self.result = result
        self.body = body
    }

    /// A body, and what there is to say once it has come.
    package struct Body: Sendable {
        package let stream: BodyStream
        /// After the body's end: its timings, and why it broke off if it did.
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
