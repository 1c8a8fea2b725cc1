import Core
import Inspection
import Simulator

extension Services {
    /// The newest events of an app on a device, including mail that its calls sent or used; oldest
    /// first.
    func timeline(of instance: AppInstance) -> [Event] {
        let all = hub.events(in: instance.workspace)
        // A mail event names no device, but the call that sent it does.
        let graph = EventGraph(all)
        func isOfInstance(_ event: Event) -> Bool {
            event.app == instance.app && event.device == instance.device
        }
        func isCausedByInstance(_ event: Event) -> Bool {
            graph.cause(of: event).map(isOfInstance) ?? false
        }
        let mailIDs = Set(
            all.filter { $0.kind == .mailReceived && isCausedByInstance($0) }.compactMap(\.subject))
        return all.filter { event in
            switch event.kind {
            case .mailReceived, .mailUsed:
                isCausedByInstance(event) || event.subject.map(mailIDs.contains) ?? false
            case .faultChanged:
                event.app.map { $0 == instance.app } ?? true
                    && event.device.map { $0 == instance.device } ?? true
            default: isOfInstance(event)
            }
        }.suffix(400)
    }
}
