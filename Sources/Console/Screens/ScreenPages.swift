import Apps
import Simulator
import Templates
import Web

/// `/apps/…`: the apps' screens, as this device sees them now; and the same
/// below `/devices/{device}`, for one that is nobody's browser.
struct ScreenPages: Sendable {
    let services: Services
    let visitors: Visitors

    /// Query parameters of a screen's address.
    private static let query = ["confirm", "dismissed", "still"]

    var routes: [Route] {
        ["", "/devices/{device}"].flatMap { phone in
            [
                Route(.get, "\(phone)/apps/{app}", handler: start),
                Route(.get, "\(phone)/apps/{app}/{screen}", handler: show),
                Route(.post, "\(phone)/apps/{app}/{screen}", handler: turn),
                Route(.post, "\(phone)/apps/{app}/{screen}/check", handler: check),
                Route(.post, "\(phone)/apps/{app}/{screen}/{action}", handler: act),
            ]
        }
    }

    /// Starts the app, or brings back the screen it stands at.
    @Sendable private func start(_ visit: Visit) async throws -> Response {
        let (place, addresses, cookie) = try await enter(visit)
        let situation = try await services.simulator.situation(place)
        return .redirect(to: addresses.screen(situation.screen), setting: cookie)
    }

    /// The screen, or the one the app shows instead.
    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: Self.query)
        let (place, addresses, cookie) = try await enter(visit)
        let screen = try named(visit, of: place)
        if asked["dismissed"] != nil { try await services.simulator.dismiss(place) }
        let opening = try await services.simulator.open(place, screen: screen.id)
        switch opening {
        case .redirect(let other):
            return .redirect(
                to: Links.query(addresses.screen(other), [("still", asked["still"])]),
                setting: cookie)
        case .show(let situation):
            let model = ScreenBuilder(
                situation: situation, screen: screen, csrf: visit.csrf,
                confirming: asked["confirm"], framed: visit.isFramed, still: asked["still"] != nil,
                addresses: addresses
            ).build()
            let page = try services.templates.render(
                services.template(of: screen, in: place.app), model, layout: "layouts/screen")
            return .screen(page, for: visit, addresses, setting: cookie)
        }
    }

    /// A tab pressed beside a form: the screen, with what was typed.
    @Sendable private func turn(_ visit: Visit) async throws -> Response {
        let (place, addresses, cookie) = try await enter(visit)
        let screen = try named(visit, of: place)
        let shown = try await services.simulator.turn(
            place, to: screen.id, form: try Form(visit.request).values)
        return .redirect(to: addresses.screen(shown), setting: cookie)
    }

    /// Does an action, then 303 to wherever it led.
    @Sendable private func act(_ visit: Visit) async throws -> Response {
        let (place, addresses, cookie) = try await enter(visit)
        let screen = try named(visit, of: place)
        let action = visit.parameters["action"] ?? ""
        let outcome: Outcome
        if screen.kind == .launch, action == "launch" || action == "retry" {
            outcome = try await services.simulator.launch(place)
        } else {
            guard screen.action(action) != nil else {
                throw Problem(
                    status: 404, code: "unknown-action", title: "This screen has no such action",
                    detail: """
                        \(screen.id) has \(screen.allActions.map(\.name)
                            .joined(separator: ", ")).
                        """)
            }
            var form = try Form(visit.request).values
            form["csrf"] = nil
            var sensor: Device.Biometrics.Result?
            if screen.action(action)?.biometric != nil {
                sensor = form.removeValue(forKey: "sensor").flatMap(Device.Biometrics.Result.init)
                guard sensor != nil else {
                    return try await prompt(place, addresses, screen, action, form, cookie)
                }
            }
            outcome = try await services.simulator.act(
                place, screen: screen.id, action: action, form: form, sensor: sensor)
        }
        return .redirect(to: addresses.screen(outcome.screen), setting: cookie)
    }

    /// Shows the screen with the sensor's question over it.
    private func prompt(
        _ place: Place, _ addresses: ScreenLinks, _ screen: Screen, _ action: String,
        _ form: [String: String], _ cookie: String?
    ) async throws -> Response {
        let outcome = try await services.simulator.prompt(
            place, screen: screen.id, action: action, form: form)
        let there = addresses.screen(outcome.screen)
        return .redirect(
            to: outcome.succeeded ? Links.query(there, [("confirm", action)]) : there,
            setting: cookie)
    }

    /// What the fields would say of themselves now, while somebody types.
    @Sendable private func check(_ visit: Visit) async throws -> Response {
        let (place, _, _) = try await enter(visit)
        let screen = try named(visit, of: place)
        guard screen.submit != nil else { throw Problem.noForm(screen) }
        let values = try Form(visit.request).values
        let errors = screen.checkTyping(values)
        let rated = screen.fields.filter { !$0.strength.isEmpty }
        return .json([
            "errors": .object(
                errors.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
            "strengths": .object(
                rated.map { field in
                    let level = field.strength(of: values[field.name] ?? "")
                    let said = ScreenField.Strength(level: level, words: field.strength)
                    return .init(
                        field.name, ["level": .string(said.level), "label": .string(said.label)])
                }),
        ])
    }

    /// The app of the path on the device of the path, or on this browser's.
    private func enter(_ visit: Visit) async throws -> (Place, ScreenLinks, cookie: String?) {
        let id = try services.app(of: visit).id
        if let named = visit.parameters["device"] {
            guard let device = try await services.simulator.device(named) else {
                throw Problem.unknownDevice(named)
            }
            let visitor = Visitor(workspace: device.workspace, device: device)
            return (visitor.place(id), ScreenLinks(app: id, device: device.id), nil)
        }
        let (visitor, cookie) = try await visitors.welcome(visit)
        return (visitor.place(id), ScreenLinks(app: id), cookie)
    }

    private func named(_ visit: Visit, of place: Place) throws -> Screen {
        let id = visit.parameters["screen"] ?? ""
        guard let app = services.catalogue.app(place.app), let screen = app.screen(id) else {
            throw Problem.unknownScreen(id)
        }
        return screen
    }
}

extension Visit {
    /// Whether the page will stand inside another.
    var isFramed: Bool { request.headers["Sec-Fetch-Dest"] == "iframe" }
}

extension Response {
    /// What an app's template made, with what such a page may do.
    static func screen(
        _ page: [UInt8], for visit: Visit, _ addresses: ScreenLinks, setting cookie: String? = nil
    ) -> Response {
        var response = Response.html(page, setting: cookie)
        response.headers["Content-Security-Policy"] = ContentPolicy.screen(
            at: visit.request.headers["Host"] ?? "", script: Links.screenScript,
            files: Links.assets, below: addresses.start, framed: visit.isFramed)
        return response
    }
}

extension Services {
    /// The app's own template, or the one that shows any screen.
    func template(of screen: Screen, in app: String) -> String {
        let own = "apps/\(app)/\(screen.id)"
        return templates.contains(own) ? own : "screens/plain"
    }
}

extension Problem {
    static func unknownScreen(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-screen", title: "This app has no such screen",
            detail: "Its manifest has no screen \(id.prefix(40)).")
    }

    fileprivate static func noForm(_ screen: Screen) -> Problem {
        Problem(
            status: 404, code: "no-form", title: "This screen has no form",
            detail: "\(screen.id) has nothing to check.")
    }
}
