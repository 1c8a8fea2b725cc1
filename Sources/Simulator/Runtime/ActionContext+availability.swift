import Apps
import Web

extension ActionContext {
    /// Throws if the app does not offer the action: the device does not meet its requirements, or
    /// the backend has none of its calls.
    func checkAvailability(of action: Action, on screen: Screen) throws(Problem) {
        guard device.supports(action) else { throw .actionUnavailableOnDevice(action, on: screen) }
        guard app.canPerform(action, backend: backend) else {
            throw .actionUnsupportedByBackend(action, on: screen, backend)
        }
    }
}

extension Problem {
    fileprivate static func actionUnavailableOnDevice(_ action: Action, on screen: Screen)
        -> Problem
    {
        Problem(
            status: 409, code: "action-unavailable",
            title: "\(action.displayLabel) is not available on this device",
            detail: "\(action.name) on \(screen.id) needs "
                + action.deviceRequirements.sorted { $0.key < $1.key }.map {
                    "\($0.key) \($0.value)"
                }.joined(
                    separator: ", ") + "; change the device first.")
    }

    fileprivate static func actionUnsupportedByBackend(
        _ action: Action, on screen: Screen, _ backend: String
    )
        -> Problem
    {
        Problem(
            status: 409, code: "action-unavailable",
            title: "\(action.displayLabel) is not available on this backend",
            detail: "\(action.name) on \(screen.id) uses calls that "
                + "\(backend) does not have; select another backend first.")
    }
}
