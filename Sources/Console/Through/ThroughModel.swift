/// How a real app is pointed here: a dialog (`studio/through`) over a page
/// (`studio/throughpage`).
struct ThroughModel: Encodable, Sendable {
    var frame: FrameModel
    var through: Through

    struct Through: Encodable, Sendable {
        var question: String
        /// The backend's name, and where it answers.
        var backend: String
        var base: String
        /// The address whose calls are this device's.
        var own: String
        /// The address that gives each client a device of its own.
        var any: String
        /// This device's.
        var label: String
        var backURL: String
    }
}
