import Core
import Simulator
import Templates
import Web

/// The studio's menu of devices (`studio/devices`), with who is signed in on each.
struct DeviceSwitch {
    let services: Services
    let target: StudioTarget

    /// Number of listed devices of the workspace, the newest, and of other workspaces.
    private static let limits = (here: 50, elsewhere: 12)

    func model() async throws -> TemplateModel {
        let workspace = target.instance.workspace
        let page = try await services.simulator.devices(
            in: workspace, at: Keyset(limit: Self.limits.here))
        var devices = page.items
        for shown in [target.device, target.secondDevice].compactMap(\.self)
        where !devices.contains(where: { $0.id == shown.id }) {
            devices.append(shown)
        }
        let users = try await signedInUsers()
        let links = target.links
        return [
            "deviceName": target.device.label, "deviceID": target.device.id,
            "isOwnDevice": links.device == nil,
            "devices": devices.map { device -> TemplateModel in
                let isShown = device.id == target.device.id
                let isSecond = device.id == target.secondDevice?.id
                return [
                    "id": device.id, "label": device.label,
                    "userText": users[device.id] ?? "Signed out", "current": isShown,
                    "href": StudioLinks(app: links.app, device: device.id).page,
                    "besideURL": isShown || isSecond
                        ? nil
                        : StudioLinks(
                            app: links.app, device: links.device, secondDevice: device.id
                        ).page,
                ]
            },
            "otherDevices": try await devicesElsewhere(),
            "addAction": links(Links.addDevice), "renameURL": links(Links.renameDevice),
            "deleteURL": links(Links.deleteDevice),
        ]
    }

    /// The signed-in user of the app by device.
    private func signedInUsers() async throws -> [String: String] {
        var query = SessionQuery(workspace: target.instance.workspace)
        query.app = target.instance.app
        query.keyset.limit = 200
        let sessions = try await services.simulator.sessions(query).page.items
        return Dictionary(
            sessions.filter { $0.endedAt == nil }.map { ($0.device, $0.userLabel) },
            uniquingKeysWith: { newest, _ in newest })
    }

    /// The newest devices of other workspaces; each is a form that switches to its workspace.
    private func devicesElsewhere() async throws -> [TemplateModel] {
        let others = try await services.simulator.workspaces(limit: Self.limits.elsewhere)
            .workspaces.map(\.id).filter { $0 != target.instance.workspace }
        let devices = try await services.simulator.newestDevices(ofEach: others, limit: 3)
        return devices.prefix(Self.limits.elsewhere).map { device in
            [
                "id": device.id, "label": device.label,
                "workspaceName": services.simulator.displayName(ofWorkspace: device.workspace),
                "action": Links.switchWorkspace(device.workspace),
                "back": StudioLinks(app: target.instance.app, device: device.id).page,
            ]
        }
    }
}
