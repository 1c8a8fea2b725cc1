/// Where the links of an app's screens lead: to the app on the browser's own
/// device, or to the one on a device that has an address of its own.
struct ScreenLinks: Sendable {
    /// The app's start; a screen's name follows.
    let start: String

    init(app: String, device: String? = nil) {
        let phone = device.map { "/devices/\($0)" } ?? ""
        start = "\(phone)/apps/\(app)/"
    }

    func screen(_ screen: String) -> String { start + screen }

    func action(_ screen: String, _ action: String) -> String { "\(start)\(screen)/\(action)" }
}
