import Apps
import Simulator
import Templates
import Web

/// The studio's devices: adding, renaming and deleting one, copying an app's data to another.
extension StudioPages {
    var deviceRoutes: [Route] {
        [
            Route(.post, Links.addDevice, handler: addDevice),
            .studioPage(Links.renameDevice) { context in
                let target = try await target(of: context)
                return try await services.respond(
                    to: context, namePage(target, target.device.label, error: nil),
                    "studio/devicenamepage", parts: ["dialog": "studio/devicename"],
                    setting: target.cookie)
            },
            Route(.post, Links.renameDevice, handler: renameDevice),
            .studioPage(Links.deleteDevice, handler: confirmDelete),
            Route(.post, Links.deleteDevice, handler: deleteDevice),
            Route(.post, Links.copyAppData, handler: copyAppData),
        ]
    }

    /// Asks before switching to the workspace of a requested device; nil if they are in this one,
    /// or do not exist.
    func confirmSwitch(_ context: RequestContext) async throws -> Response? {
        let workspace = try services.workspace(of: context)
        var elsewhere: Device?
        for id in context.studioDevices
        where try await services.simulator.device(id, in: workspace) == nil {
            elsewhere = try await services.simulator.device(id)
        }
        guard let device = elsewhere else { return nil }
        let app = try services.app(of: context).id
        let name = services.simulator.displayName(ofWorkspace: device.workspace)
        return try await services.confirm(
            context, "Switch to \(name)", navItem: "studio",
            ConfirmModel(
                action: Links.url(
                    Links.switchWorkspace(device.workspace),
                    [("back", StudioLinks(app: app, device: device.id).page)]),
                question: "Switch to workspace \(name)?",
                consequence: "\(device.label) is in that workspace. All pages of this browser then "
                    + "show its sessions, traffic and mail.",
                confirmLabel: "Switch", backURL: Links.studio(app), isDestructive: false))
    }

    /// Adds a device like the shown one, and shows it.
    @Sendable private func addDevice(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let isBeside = try Form(context.request).choice("show", of: ["beside"]) != nil
        let device = try await services.simulator.makeDevice(
            in: target.instance.workspace, build: target.device.build,
            biometrics: target.device.biometrics, display: target.device.display)
        var links = target.links
        if isBeside {
            links.secondDevice = device.id
        } else {
            links = StudioLinks(app: links.app, device: device.id)
        }
        return .redirect(to: links.page)
    }

    private func namePage(_ target: StudioTarget, _ name: String, error: String?) -> Page {
        studioPage(
            "Rename device", target,
            [
                "deviceName": name, "deviceID": target.device.id, "error": error,
                "saveAction": target.links(Links.renameDevice), "backURL": target.links.page,
            ])
    }

    @Sendable private func renameDevice(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let name = (try Form(context.request)["name"] ?? "").whitespaceCollapsed
        guard (1...80).contains(name.utf8.count) else {
            return try await services.respond(
                to: context,
                namePage(target, name, error: "The name must have 1 to 80 bytes."),
                "studio/devicenamepage", status: 400)
        }
        _ = try await services.simulator.updateDevice(
            target.device.id, in: target.instance.workspace
        ) { $0.label = name }
        return .redirect(to: target.links.page)
    }

    @Sendable private func confirmDelete(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        return try await services.confirm(
            context, "Delete device", navItem: "studio", setting: target.cookie,
            ConfirmModel(
                action: target.links(Links.deleteDevice),
                question: "Delete \(target.device.label)?",
                consequence: "Its apps' data and sessions are deleted. Recorded requests, and the "
                    + "accounts on the backend, are kept.",
                confirmLabel: "Delete", backURL: target.links.page))
    }

    @Sendable private func deleteDevice(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        try await services.simulator.deleteDevice(
            target.device.id, in: target.instance.workspace)
        return .redirect(
            to: StudioLinks(app: target.instance.app, device: target.secondDevice?.id).page)
    }

    /// Copies the app's data from the device to the one beside it.
    @Sendable private func copyAppData(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        guard let second = target.secondInstance else {
            throw Problem(
                status: 400, code: "second-device-required", title: "No second device",
                detail: "Show a second device beside this one first.")
        }
        try await services.simulator.copyAppData(
            from: target.instance, to: second)
        return .redirect(to: target.links.page)
    }
}
