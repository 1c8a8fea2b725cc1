import Apps
import Core
import Simulator
import Web
import Workspaces

/// Restores the device to the state at an event.
extension StudioPages {
    var restoreRoutes: [Route] {
        [
            Route(.get, Links.restorePoint, handler: confirmRestore),
            Route(.post, Links.restorePoint, handler: restoreState),
        ]
    }

    @Sendable private func confirmRestore(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["event", "part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        let event = try services.event(query["event"] ?? "", in: instance.workspace)
        return try await services.confirm(
            context, "Restore this point", navItem: "studio", needsStudioScript: true,
            setting: cookie,
            ConfirmModel(
                action: Links.restore(instance.app, event: event.id),
                question: "Restore this point?",
                consequence: "“\(event.title)”, \(Format.dateTime(event.at)). "
                    + "Restores this device's storage, session and screen. The server "
                    + "is unchanged: a refresh token used since then counts as reuse.",
                confirmLabel: "Restore", backURL: Links.studio(instance.app), isDestructive: false))
    }

    @Sendable private func restoreState(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["event"])
        let (instance, _) = try await resolveInstance(of: context)
        let event = try services.event(
            try Form(context.request)["event"] ?? query["event"] ?? "", in: instance.workspace)
        guard event.device == instance.device, event.app == instance.app else {
            throw Problem(
                status: 409, code: "other-device", title: "This happened on another device",
                detail: "A browser restores its own device only.",
                apiHint: "POST /api/events/\(event.id)/restore restores any device.")
        }
        _ = try await services.snapshots.restore(event)
        return redirectToStudio(instance)
    }
}
