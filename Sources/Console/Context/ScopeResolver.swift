import Core
import Simulator
import Web

/// Determines the workspace and device of a request from its cookies and headers.
///
/// Cookies are shared by all servers on a host name, so Foyer's contain the port; names without it
/// are accepted too, for hand-written clients.
struct ScopeResolver: Sendable {
    let simulator: Simulator
    let port: UInt16
    let world: World
    let deferredDevices: DeferredDevices
    /// Whether a request for a workspace that does not exist is one for `main`.
    var fallsBackToMain = false

    /// The cookie for this browser's device in a workspace. Each workspace has its own, so that
    /// switching loses no device.
    func deviceCookieName(in workspace: String) -> String {
        let name = "foyer_device_\(port)"
        return workspace == Workspace.mainID ? name : "\(name)_\(workspace)"
    }

    var workspaceCookieName: String { "foyer_workspace_\(port)" }

    /// The workspace that the request names; `main` for none.
    func workspaceID(namedBy context: RequestContext) -> String {
        context.request.headers["X-Foyer-Workspace"] ?? context.cookies[workspaceCookieName]
            ?? context.cookies["foyer_workspace"] ?? Workspace.mainID
    }

    /// The requested workspace; `main` if none is named.
    func workspace(of context: RequestContext) throws(Problem) -> String {
        let requestedID = workspaceID(namedBy: context)
        guard simulator.hasWorkspace(requestedID) else {
            if fallsBackToMain { return Workspace.mainID }
            guard context.request.headers["X-Foyer-Workspace"] != nil else {
                throw Problem(
                    status: 404, code: "unknown-workspace", title: "Workspace expired",
                    detail: "The workspace of this browser has expired or was deleted.",
                    apiHint: "Omit its cookie for main, or send X-Foyer-Workspace.")
            }
            throw .unknown(
                "workspace",
                "X-Foyer-Workspace names a workspace that does not exist or has "
                    + "expired. Omit it for main, or choose another one at \(Links.workspaces).")
        }
        return requestedID
    }

    /// The cookie that moves a browser whose workspace no longer exists to `main`; else nil.
    func cookieLeavingMissingWorkspace(_ context: RequestContext) -> String? {
        simulator.hasWorkspace(workspaceID(namedBy: context))
            ? nil : workspaceCookie(for: Workspace.mainID)
    }

    /// The requested device; nil if none is named or it does not exist.
    func device(of context: RequestContext, in workspace: String) async throws -> Device? {
        if let requestedID = context.request.headers["X-Foyer-Device"] {
            guard let device = try await simulator.device(requestedID, in: workspace) else {
                throw Problem.unknownDevice(requestedID)
            }
            return device
        }
        guard let value = deviceCookieValue(of: context, in: workspace) else { return nil }
        return try await simulator.device(DeferredDevices.id(inCookie: value), in: workspace)
    }

    /// The requested device; creates a deferred one.
    func resolveDevice(of context: RequestContext, in workspace: String) async throws -> Device? {
        if let device = try await device(of: context, in: workspace) { return device }
        guard let id = deferredDeviceID(context, in: workspace) else { return nil }
        return try await simulator.findOrMakeDevice(id: id, in: workspace)
    }

    private func deviceCookieValue(of context: RequestContext, in workspace: String) -> String? {
        context.cookies[deviceCookieName(in: workspace)] ?? context.cookies["foyer_device"]
    }

    private func deferredDeviceID(_ context: RequestContext, in workspace: String) -> String? {
        deviceCookieValue(of: context, in: workspace).flatMap {
            deferredDevices.verifiedID(inCookie: $0, for: workspace)
        }
    }

    /// Wraps `routes` so that the first page a browser opens sets its device cookie; partial pages
    /// and downloads do not.
    func settingDeviceCookies(_ routes: [Route]) -> [Route] {
        routes.map { route in
            guard route.method == .get else { return route }
            return route.replacingHandler { context in
                var response = try await route.handler(context)
                guard Self.isPage(response),
                    !context.target.query.contains(where: { $0.name == "part" })
                else { return response }
                if let cookie = try await deferredDeviceCookie(for: context) {
                    response.headers.add("Set-Cookie", cookie)
                }
                return response
            }
        }
    }

    /// An HTML page that sets no cookie itself.
    private static func isPage(_ response: Response) -> Bool {
        response.status == 200 && response.headers["Set-Cookie"] == nil
            && response.headers["Content-Type"]?.hasPrefix("text/html") == true
    }

    /// The cookie for a browser without a device, created or deferred.
    private func deferredDeviceCookie(for context: RequestContext) async throws -> String? {
        guard context.request.headers["X-Foyer-Device"] == nil else { return nil }
        let workspace = try workspace(of: context)
        if deferredDeviceID(context, in: workspace) != nil { return nil }
        if try await device(of: context, in: workspace) != nil { return nil }
        return makeDeviceCookie(
            deferredDevices.cookieValue(for: world.makeID("dev"), in: workspace), in: workspace)
    }

    /// The scope of a page; creates a device, with its cookie, for a browser that has none.
    func resolve(_ context: RequestContext) async throws -> (RequestScope, cookie: String?) {
        let workspace = try workspace(of: context)
        let existing = try await resolveDevice(of: context, in: workspace)
        let device: Device
        if let existing {
            device = existing
        } else {
            device = try await simulator.makeDevice(in: workspace)
        }
        let isNamed =
            context.request.headers["X-Foyer-Device"] != nil
            || deviceCookieValue(of: context, in: workspace) == device.id
        return (
            RequestScope(workspace: workspace, device: device),
            isNamed ? nil : makeDeviceCookie(device.id, in: workspace)
        )
    }

    /// The cookie that selects the device of `workspace` that was used last, or if there is no
    /// event the newest, for a browser that has none there; nil if it has one, or none exists.
    ///
    /// `hub` has the workspace's events.
    func latestDeviceCookie(
        _ context: RequestContext, to workspace: String, eventsIn hub: EventHub
    ) async throws -> String? {
        if let value = deviceCookieValue(of: context, in: workspace),
            try await simulator.device(DeferredDevices.id(inCookie: value), in: workspace) != nil
        {
            return nil
        }
        // The device of an event may have been deleted since.
        let usedID = hub.newestEvent(in: workspace) { $0.device != nil }?.device
        var latest: Device?
        if let usedID { latest = try await simulator.device(usedID, in: workspace) }
        if latest == nil {
            latest = try await simulator.devices(in: workspace, at: Keyset(limit: 1)).items.first
        }
        return latest.map { makeDeviceCookie($0.id, in: workspace) }
    }

    private func makeDeviceCookie(_ value: String, in workspace: String) -> String {
        SetCookie(deviceCookieName(in: workspace), value, maxAge: 31_536_000).headerValue
    }

    /// The cookie that keeps a browser in `workspace`; for `main` it removes the cookie.
    func workspaceCookie(for workspace: String) -> String {
        SetCookie(
            workspaceCookieName, workspace, maxAge: workspace == Workspace.mainID ? 0 : 31_536_000
        ).headerValue
    }
}

/// The workspace and device that a request is for.
struct RequestScope: Sendable {
    var workspace: String
    var device: Device

    func instance(_ app: String) -> AppInstance {
        AppInstance(workspace: workspace, device: device.id, app: app)
    }
}

/// Signed device ids handed out in cookies; the row is created at first use.
///
/// So viewing a page writes nothing, however often a client without cookies requests it. An id is
/// signed for one workspace, so a client can choose neither a new id nor that of another client.
struct DeferredDevices: Sendable {
    let mac: @Sendable (String) -> String

    /// The cookie value for `id`, which is new.
    func cookieValue(for id: String, in workspace: String) -> String {
        "\(id).\(mac("device:\(workspace):\(id)"))"
    }

    /// The id in a cookie's value, signed or not. Sufficient to find an existing device, which a
    /// bare id names as well.
    static func id(inCookie value: String) -> String { String(value.prefix { $0 != "." }) }

    /// The id in a cookie's value if it was signed for this workspace, else nil.
    func verifiedID(inCookie value: String, for workspace: String) -> String? {
        guard value.utf8.count <= 256, let dot = value.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        let id = String(value[..<dot])
        let isValid = ConstantTime.areEqual(value, cookieValue(for: id, in: workspace))
        return isValid ? id : nil
    }
}
