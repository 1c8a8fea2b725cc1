import Core
import Simulator

extension Services {
    /// The newest events of an app on a device, and of the mail its calls
    /// sent or used, oldest first.
    func timeline(of instance: AppInstance) -> [Event] {
        let all = hub.events(in: instance.workspace)
        // A mail names no device: the call it was sent for does.
        let graph = EventGraph(all)
        func isHere(_ event: Event) -> Bool {
            event.app == instance.app && event.device == instance.device
        }
        func isCalledHere(_ event: Event) -> Bool { graph.cause(of: event).map(isHere) ?? false }
        let mails = Set(
            all.filter { $0.kind == .mailReceived && isCalledHere($0) }.compactMap(\.subject))
        return all.filter { event in
            switch event.kind {
            case .mailReceived, .mailUsed:
                isCalledHere(event) || event.subject.map(mails.contains) ?? false
            case .faultChanged:
                event.app.map { $0 == instance.app } ?? true
                    && event.device.map { $0 == instance.device } ?? true
            default: isHere(event)
            }
        }.suffix(400)
    }
}
