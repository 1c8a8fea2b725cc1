/// How to connect a real app: a dialog (`studio/through`) over a page (`studio/throughpage`).
struct ProxyModel: Encodable, Sendable {
    var frame: FrameModel
    var setup: Setup

    struct Setup: Encodable, Sendable {
        var question: String
        /// The backend's name; `baseURL` is its URL.
        var backend: String
        var baseURL: String
        /// The URL whose calls are assigned to this device.
        var deviceURL: String
        /// The URL that gives each client a device of its own.
        var perClientURL: String
        /// This device's label.
        var deviceLabel: String
        var backURL: String
    }
}
