import Core
import Simulator
import Web

/// Tells from cookies and headers which workspace and device a request means.
///
/// Cookies are shared by every server on a host name, so ours carry the port;
/// the plain names are read too, for clients written by hand.
struct ScopeResolver: Sendable {
    let simulator: Simulator
    let port: UInt16
    let world: World
    let deferredDevices: DeferredDevices

    /// The cookie that names this browser's device in a workspace; each has
    /// its own, so that a visit elsewhere costs nobody a device.
    func deviceCookieName(in workspace: String) -> String {
        let name = "foyer_device_\(port)"
        return workspace == Workspace.mainID ? name : "\(name)_\(workspace)"
    }

    var workspaceCookieName: String { "foyer_workspace_\(port)" }

    /// The workspace asked for, `main` without one.
    func workspace(of context: RequestContext) throws(Problem) -> String {
        let named =
            context.request.headers["X-Foyer-Workspace"] ?? context.cookies[workspaceCookieName]
            ?? context.cookies["foyer_workspace"] ?? Workspace.mainID
        guard simulator.hasWorkspace(named) else {
            throw Problem(
                status: 404, code: "unknown-workspace", title: "There is no such workspace",
                detail: """
                    X-Foyer-Workspace or its cookie names a workspace that is \
                    not there or whose lease has ended. Leave it out for \
                    main, or choose another one at \(Links.workspaces).
                    """)
        }
        return named
    }

    /// The device asked for, nil if none was named or it is not there.
    func device(of context: RequestContext, in workspace: String) async throws -> Device? {
        if let named = context.request.headers["X-Foyer-Device"] {
            guard let device = try await simulator.device(named, in: workspace) else {
                throw Problem.unknownDevice(named)
            }
            return device
        }
        guard let value = deviceCookieValue(of: context, in: workspace) else { return nil }
        return try await simulator.device(DeferredDevices.id(inCookie: value), in: workspace)
    }

    /// The same; one that was promised is made now.
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

    /// `routes` with pages that promise a browser its device, whichever of
    /// them it opens first; parts of pages and downloads do not.
    func settingDeviceCookies(_ routes: [Route]) -> [Route] {
        routes.map { route in
            guard route.method == .get else { return route }
            return route.replacingHandler { context in
                var response = try await route.handler(context)
                guard Self.isPage(response),
                    !context.target.query.contains(where: { $0.name == "part" })
                else { return response }
                if let promise = try await deferredDeviceCookie(for: context) {
                    response.headers.add("Set-Cookie", promise)
                }
                return response
            }
        }
    }

    /// HTML that gives no cookie of its own.
    private static func isPage(_ response: Response) -> Bool {
        response.status == 200 && response.headers["Set-Cookie"] == nil
            && response.headers["Content-Type"]?.hasPrefix("text/html") == true
    }

    /// The cookie for a browser that has no device, not even a promised one.
    private func deferredDeviceCookie(for context: RequestContext) async throws -> String? {
        guard context.request.headers["X-Foyer-Device"] == nil else { return nil }
        let workspace = try workspace(of: context)
        if deferredDeviceID(context, in: workspace) != nil { return nil }
        if try await device(of: context, in: workspace) != nil { return nil }
        return makeDeviceCookie(
            deferredDevices.cookieValue(for: world.makeID("dev"), in: workspace), in: workspace)
    }

    /// The visitor of a page; a browser without a device gets one, and the
    /// cookie to keep it by.
    func resolve(_ context: RequestContext) async throws -> (RequestScope, cookie: String?) {
        let workspace = try workspace(of: context)
        let used = try await resolveDevice(of: context, in: workspace)
        let device: Device
        if let used {
            device = used
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

    /// The cookie that leads a browser without a phone in `workspace` to the
    /// newest there is; nil where it has one, or there is none.
    func newestDeviceCookie(_ context: RequestContext, to workspace: String) async throws -> String?
    {
        if let value = deviceCookieValue(of: context, in: workspace),
            try await simulator.device(DeferredDevices.id(inCookie: value), in: workspace) != nil
        {
            return nil
        }
        let newest = try await simulator.devices(in: workspace, before: nil, limit: 1).devices.first
        return newest.map { makeDeviceCookie($0.id, in: workspace) }
    }

    private func makeDeviceCookie(_ value: String, in workspace: String) -> String {
        SetCookie(deviceCookieName(in: workspace), value, maxAge: 31_536_000).headerValue
    }

    /// Makes a browser stay in `workspace`; in `main` it needs no cookie.
    func pinWorkspace(in workspace: String) -> String {
        SetCookie(
            workspaceCookieName, workspace, maxAge: workspace == Workspace.mainID ? 0 : 31_536_000
        )
        .headerValue
    }
}

extension Problem {
    static func unknownDevice(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-device", title: "There is no such device",
            detail: "No device of this workspace has the id \(id.prefix(40)).",
            apiHint: "GET /api/devices lists them; POST /api/devices makes one.")
    }

    static func unknownApp(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-app", title: "There is no such app",
            detail: "No manifest has the id \(id.prefix(40)).", apiHint: "GET /api/apps lists them."
        )
    }
}
