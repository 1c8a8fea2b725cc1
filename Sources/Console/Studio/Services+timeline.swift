import Simulator
import Surroundings

extension Services {
    /// The newest events of an app on a device, and of the mail its calls
    /// sent or used, oldest first.
    func timeline(of place: Place) -> [Event] {
        let all = hub.events(in: place.workspace)
        // A mail names no device: the call it was sent for does.
        let graph = EventGraph(all)
        func isHere(_ event: Event) -> Bool {
            event.app == place.app && event.device == place.device
        }
        func isCalledHere(_ event: Event) -> Bool { graph.cause(of: event).map(isHere) ?? false }
        let mails = Set(all.filter { $0.kind == .mail && isCalledHere($0) }.compactMap(\.subject))
        return all.filter { event in
            switch event.kind {
            case .mail, .mailUsed: isCalledHere(event) || event.subject.map(mails.contains) ?? false
            case .conditionChanged:
                event.app.map { $0 == place.app } ?? true
                    && event.device.map { $0 == place.device } ?? true
            default: isHere(event)
            }
        }.suffix(400)
    }
}
