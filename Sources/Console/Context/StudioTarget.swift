import Apps
import Simulator
import Web

/// The app and the devices that a request to the studio is for.
///
/// The URL names the device; without one it is this browser's.
struct StudioTarget: Sendable {
    let instance: AppInstance
    let device: Device
    /// The second of two devices side by side.
    let secondDevice: Device?
    let links: StudioLinks
    /// Set by a response if the browser's own device was created.
    let cookie: String?

    /// The app on the second device.
    var secondInstance: AppInstance? {
        secondDevice.map {
            AppInstance(workspace: instance.workspace, device: $0.id, app: instance.app)
        }
    }
}

extension Services {
    /// Throws a problem for an unknown app or device.
    func studioTarget(of context: RequestContext) async throws -> StudioTarget {
        let app = try app(of: context).id
        let workspace = try workspace(of: context)
        func device(_ id: String) async throws -> Device {
            guard let device = try await simulator.device(id, in: workspace) else {
                throw Problem.unknownDevice(id)
            }
            return device
        }
        let (requested, requestedSecond) = (context.query("device"), context.query("beside"))
        let shown: Device
        var cookie: String?
        var isOwn = true
        if let requested {
            let own = try await scopeResolver.device(of: context, in: workspace)
            shown = try await device(requested)
            isOwn = own?.id == shown.id
        } else {
            let (scope, newCookie) = try await scopeResolver.resolve(context)
            (shown, cookie) = (scope.device, newCookie)
        }
        let second: Device? =
            if let requestedSecond, requestedSecond != shown.id {
                try await device(requestedSecond)
            } else { nil }
        return StudioTarget(
            instance: AppInstance(workspace: workspace, device: shown.id, app: app), device: shown,
            secondDevice: second,
            links: StudioLinks(
                app: app, device: isOwn ? nil : shown.id, secondDevice: second?.id),
            cookie: cookie)
    }
}

extension RequestContext {
    /// The devices that a URL of the studio names.
    var studioDevices: [String] { StudioLinks.parameterNames.compactMap(query) }

    fileprivate func query(_ name: String) -> String? { target.query.value(of: name)?.nonEmpty }
}

extension Route {
    /// A page of the studio, on any device.
    static func studioPage(_ path: PagePath, handler: @escaping Handler) -> Route {
        Route(.get, path) { context in
            _ = try context.query(allowing: ["part"] + StudioLinks.parameterNames)
            return try await handler(context)
        }
    }
}
