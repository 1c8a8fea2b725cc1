import Apps
import Web

extension Shown.Resumable {
    /// The calls of `action` that succeeded when it was tried last.
    func made(by action: Action, on screen: Screen) -> [String: Made] {
        guard self.screen == screen.id, self.action == action.name else { return [:] }
        return calls
    }
}

extension App {
    /// What is left of a call that was `made` before, and what is to be made
    /// now: it alone if it never was, or a field that counts has another
    /// value.
    func resume(
        _ name: String, _ made: Shown.Resumable.Made?, _ action: Action, _ typed: Typed,
        backend: String
    ) -> (before: Shown.Resumable.Made, instead: [String]) {
        guard let made, let resume = action.resume[name],
            let instead = resume.instead(before: made.fields, now: typed.values),
            // Nor can it be mended where the backend has no call for that.
            !instead.contains(where: { lacks($0, backend: backend) })
        else { return (Shown.Resumable.Made(), [name]) }
        return (made, instead)
    }
}
