/// An observed transition from one screen of an app to another.
package struct Transition: Sendable, Equatable {
    /// Empty if the screen was shown without one before: a start, a reload of the app.
    package var from: String
    package var to: String
    package var count: Int

    package init(from: String, to: String, count: Int) {
        self.from = from
        self.to = to
        self.count = count
    }
}
