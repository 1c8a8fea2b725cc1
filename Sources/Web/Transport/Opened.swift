/// An answer whose head is there: its body, or how to have it piece by piece.
package struct Opened: Sendable {
    /// With the body if that came along with the head, and none otherwise.
    package let delivery: Delivery
    /// The body; nil if it is there already, or if there is no answer.
    package let rest: Rest?

    package init(_ delivery: Delivery, rest: Rest? = nil) {
        self.delivery = delivery
        self.rest = rest
    }

    /// A body, and what there is to say once it has come.
    package struct Rest: Sendable {
        package let body: Inflow
        /// After the body's end: its timings, and why it broke off if it did.
        package let ending: @Sendable () -> Ending

        package init(body: Inflow, ending: @escaping @Sendable () -> Ending) {
            self.body = body
            self.ending = ending
        }
    }

    package struct Ending: Sendable {
        package let timings: Timings
        package let failure: TransportFailure?

        package init(timings: Timings, failure: TransportFailure? = nil) {
            self.timings = timings
            self.failure = failure
        }
    }
}
