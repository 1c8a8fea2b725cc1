import Apps
import Web

extension Facts {
    /// Refuses an action that the app does not show here: the device does not
    /// fit it, or the backend has none of its calls.
    func check(_ action: Action, of screen: Screen) throws(Problem) {
        guard device.fits(action) else { throw .unfit(action, on: screen) }
        guard app.offers(action, backend: backend) else {
            throw .notSpoken(action, on: screen, backend)
        }
    }
}

extension Problem {
    fileprivate static func unfit(_ action: Action, on screen: Screen) -> Problem {
        Problem(
            status: 409, code: "action-unavailable",
            title: "This device does not show \(action.said)",
            detail: "\(action.name) on \(screen.id) needs "
                + action.needs.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
                    separator: ", ") + "; change the device first.")
    }

    fileprivate static func notSpoken(_ action: Action, on screen: Screen, _ backend: String)
        -> Problem
    {
        Problem(
            status: 409, code: "action-unavailable", title: "This backend has no \(action.said)",
            detail: "\(action.name) on \(screen.id) makes calls that "
                + "\(backend) does not have; choose another backend first.")
    }
}
