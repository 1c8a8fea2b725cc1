/// How a real app is pointed here: a dialog (`studio/through`) over a page
/// (`studio/throughpage`).
struct ProxyModel: Encodable, Sendable {
    var frame: FrameModel
    var setup: Setup

    struct Setup: Encodable, Sendable {
        var question: String
        /// The backend's name, and where it answers.
        var backend: String
        var baseURL: String
        /// The address whose calls are this device's.
        var deviceURL: String
        /// The address that gives each client a device of its own.
        var perClientURL: String
        /// This device's.
        var deviceLabel: String
        var backURL: String
    }
}
