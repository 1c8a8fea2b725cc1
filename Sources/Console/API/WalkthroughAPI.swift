import Apps
import Simulator
import Storyboards
import Web

/// The steps of an app's walkthrough, and the walkthrough of a device.
enum WalkthroughAPI {
    private static let devicePath = "/api/devices/{device}/apps/{app}/walkthrough"

    static let endpoints = [
        Endpoint(
            .get, "/api/apps/{app}/walkthrough", "readWalkthrough",
            "Lists the steps of an app's walkthrough, with notes and edge cases.",
            returning: .ok(.list(of: step), "The list of steps.")
        ) { call in
            let app = try call.services.app(of: call.context)
            return ListPage(app.walkthroughSteps.map { (app, $0) })
        },

        Endpoint(
            .get, devicePath, "readWalkthroughOfDevice",
            "Returns where a device's walkthrough is. It has a workspace and device of its own.",
            returning: .ok(representation, "The walkthrough."),
            errors: [404: "The walkthrough has not started."]
        ) { call in
            let place = try await place(call)
            guard let session = place.session(call) else {
                throw Problem.unknown("walkthrough", "It has not started; a POST starts it.")
            }
            return try await .init(session, place.app, call)
        },

        Endpoint(
            .post, devicePath, "moveWalkthrough",
            "Uses the app up to a step, or up to the next one; starts the walkthrough if needed.",
            isBodyOptional: true, reading: { $0.body.string("step", limit: 100) },
            returning: .ok(representation, "The walkthrough."),
            errors: [409: "There is no next step."]
        ) { call, id in
            let place = try await place(call)
            let steps = place.app.walkthroughSteps
            let old = place.session(call)
            let session = try await place.startedSession(call)
            if let id {
                guard let step = steps.first(where: { $0.id == id }) else {
                    throw Problem.unknown("step", "Steps: ", available: steps.map(\.id))
                }
                try await session.navigate(to: step, in: steps)
            } else if old == nil {
                try await session.navigate(to: steps[0], in: steps)
            } else {
                let screen = try await call.services.simulator.status(session.instance).screen
                let next = (steps.firstIndex { $0.screen.id == screen } ?? -1) + 1
                guard next < steps.count else { throw Problem.lastStep(steps[next - 1]) }
                try await session.advance(to: steps[next])
            }
            return try await .init(session, place.app, call)
        },

        Endpoint(
            .post, devicePath + "/open-mail", "openWalkthroughMail",
            "Opens the link of the newest message to the walkthrough's user.",
            returning: .ok(representation, "The walkthrough."),
            errors: [409: "There is no link to open."]
        ) { call in
            let place = try await place(call)
            let session = try await place.startedSession(call)
            guard try await session.openMail() else { throw Problem.noMailToOpen }
            return try await .init(session, place.app, call)
        },

        Endpoint(
            .delete, devicePath, "endWalkthrough",
            "Ends a device's walkthrough, so that the next one starts over.",
            returning: .noContent("The walkthrough has ended.")
        ) { call in
            let place = try await place(call)
            _ = try await call.walkthroughSessions.end(
                of: place.device.id, in: place.device.workspace, app: place.app.id)
        },
    ]

    /// The device and app of a call.
    private struct Place: Sendable {
        let device: Device
        let app: App

        func session(_ call: APICall) -> WalkthroughSession? {
            call.walkthroughSessions.walkthrough(
                of: device.id, in: device.workspace, app: app.id)
        }

        func startedSession(_ call: APICall) async throws -> WalkthroughSession {
            try await call.walkthroughSessions.findOrStart(
                of: device.id, in: device.workspace, app: app.id)
        }
    }

    private static func place(_ call: APICall) async throws -> Place {
        Place(
            device: try await DevicesAPI.device(call), app: try call.services.app(of: call.context))
    }

    private static let step = Representation<(app: App, step: WalkthroughStep)>(
        "WalkthroughStep",
        [
            .init("id") { $0.step.id }, .init("screen") { $0.step.screen.id },
            .init("title") { $0.step.title(in: $0.app) }, .init("note") { $0.step.note },
            .init(
                "points",
                array: Representation<App.WalkthroughPoint>([
                    .init("testId") { $0.target }, .init("title") { $0.heading },
                    .init("text") { $0.text },
                ])
            ) { $0.step.points },
            .init("edgeCases") { $0.app.edgeCases(of: $0.step.screen).map(\.name) },
            .init("page") { Links.walkthroughStep($0.app.id, $0.step.id) },
        ])

    /// Where the walkthrough's device is.
    private struct Progress: Sendable {
        let session: WalkthroughSession
        let screen: String
        let step: String?

        init(_ session: WalkthroughSession, _ app: App, _ call: APICall) async throws {
            self.session = session
            let screen = try await call.services.simulator.status(session.instance).screen
            self.screen = screen
            step = app.walkthroughSteps.first { $0.screen.id == screen }?.id
        }
    }

    private static let representation = Representation<Progress>(
        "Walkthrough",
        [
            .init("app") { $0.session.app }, .init("workspace") { $0.session.workspace },
            .init("device") { $0.session.instance.device }, .init("screen") { $0.screen },
            .init("step") { $0.step }, .init("email") { $0.session.current.person.email },
            .init("failedStep") { $0.session.current.failedNavigation?.step },
            .init("message") { $0.session.current.failedNavigation?.message },
        ])
}
