import Apps
import Backend
import Core
import Simulator
import Storyboards
import Templates
import Traffic
import Web

/// Builds the page of a step of an app's walkthrough (`walkthrough/walkthrough`).
struct WalkthroughBuilder {
    let services: Services
    let app: App
    let steps: [WalkthroughStep]
    let index: Int
    let query: StoryboardQuery
    /// Nil before the walkthrough has started.
    let walkthrough: WalkthroughSession?
    /// The selected edge case with its recording.
    let branch: (StoryboardState, StateRecording)?

    private var step: WalkthroughStep { steps[index] }

    func build() async throws -> Page {
        var appStatus: AppStatus?
        var activity: TemplateModel?
        if let session = walkthrough {
            appStatus = try await services.simulator.status(session.instance)
            activity = try await services.activity(
                of: session, mailAction: Links.walkthroughMail(app.id, step.id))
        }
        let screenLinks = ScreenLinks(app: app.id, device: walkthrough?.instance.device)
        let title = step.title(in: app)
        let status = showsDevice(appStatus) ? appStatus : nil
        let phone = { (size: DeviceSizes.Size, isInteractive: Bool) in
            app.phone(
                size, appStatus?.device.display.appearance ?? .system, name: app.name,
                src: frameURL(screenLinks, status, isInteractive: isInteractive))
        }
        let branches = app.edgeCases(of: step.screen).map { ($0.name, $0.edgeCaseTitle) }
        let sizeMode = query["sizes"].flatMap(WalkthroughSizeMode.init) ?? .one
        let isAtStep = appStatus?.screen == step.screen.id
        let points = step.points.enumerated().map { offset, point -> TemplateModel in
            [
                "number": offset + 1, "targetTestID": point.target ?? "", "lead": point.heading,
                "text": point.text,
            ]
        }
        return Page(
            title: "\(title), \(app.name) walkthrough", navItem: "walkthrough", url: query.link(),
            script: "walkthrough.js",
            model: [
                "glow": app.look.glow,
                "appSwitch": services.appSwitch("walkthrough", "\(app.name) walkthrough", on: app) {
                    Links.walkthrough($0)
                },
                "email": app.asksForEmail
                    ? (walkthrough?.current.person ?? SamplePersona()).email : nil,
                "sizeMenu": query.menu(
                    "sizes", "Sizes", none: nil,
                    of: WalkthroughSizeMode.allCases.map { ($0.rawValue, $0.label) }),
                // In forms; empty for the default.
                "sizesParameter": query.values["sizes"] ?? "", "sizesID": sizeMode.rawValue,
                "storyboardURL": Links.storyboard(app.id), "phone": phone(DeviceSizes.all[0], true),
                // The same screen in further, noninteractive frames.
                "additionalPhones": sizeMode.additionalSizes.map { phone($0, false) },
                // The end of the frames' names; it differs between steps and between device and
                // recording. On going back, a browser restores the last content of a frame with
                // the same name, and requesting a screen opens it.
                "frameID": step.id + (status == nil ? "-picture" : ""),
                // The base of screen URLs; a script uses it to read the screen from a frame's URL.
                "phoneBase": screenLinks.startURL, "screenID": step.screen.id,
                "showsCapture": branch == nil && status == nil,
                "locationNote": locationNote(appStatus),
                "bringButton": branch == nil && !isAtStep
                    ? moveButton(to: step, walkthrough == nil ? "Start here" : "Go to this step")
                    : nil,
                "progress": progressSegments, "stepText": "Step \(index + 1) of \(steps.count)",
                "heading": title, "note": step.note, "points": points,
                "branch": branch.map(makeBranch),
                "branchCount": branches.isEmpty ? nil : branches.count,
                "branches": query.menu("branch", "Edge cases", none: nil, of: branches).options,
                "activity": activity,
                "activityURL": Links.url(
                    query.path, [("sizes", query.values["sizes"]), ("part", "activity")]),
                "backButton": branch != nil
                    ? moveButton(to: step) : index > 0 ? moveButton(to: steps[index - 1]) : nil,
                "nextButton": index + 1 < steps.count
                    ? TextLinkModel(
                        name: steps[index + 1].name,
                        href: Links.walkthroughNext(app.id, step.id)) : nil,
                "restartAction": Links.restartWalkthrough(app.id),
            ])
    }

    /// An edge case of the step, with the steps that reproduce it.
    private func makeBranch(_ state: StoryboardState, _ recording: StateRecording) -> TemplateModel
    {
        [
            "branchTitle": state.edgeCaseTitle, "state": state.model,
            "unreachableReason": recording.unreachableReason, "steps": recording.steps,
            "stateURL": Links.statePage(state.id),
        ]
    }

    /// Whether the device itself is shown: it is at the step, or could not be navigated there and
    /// shows why. An edge case is shown as a recording instead.
    private func showsDevice(_ appStatus: AppStatus?) -> Bool {
        branch == nil
            && (appStatus?.screen == step.screen.id
                || walkthrough?.current.failedNavigation?.step == step.id)
    }

    /// The URL of the frame. Without the device it shows the recorded state: the edge case, or the
    /// screen's first state. A launch screen is static here, because it would navigate away by
    /// itself.
    private func frameURL(_ screenLinks: ScreenLinks, _ status: AppStatus?, isInteractive: Bool)
        -> String
    {
        guard let status else {
            let state = branch?.0.name ?? app.screenStates(of: step.screen)[0].name
            return Links.tile(app.id, step.screen.id, state)
        }
        let isStatic =
            !isInteractive || status.screen == step.screen.id && step.screen.kind == .launch
        return Links.url(screenLinks.screenURL(status.screen), [("still", isStatic ? "1" : nil)])
    }

    private func locationNote(_ appStatus: AppStatus?) -> String? {
        guard branch == nil, appStatus?.screen != step.screen.id else { return nil }
        if let failure = walkthrough?.current.failedNavigation, failure.step == step.id {
            return "The app did not reach this screen."
                + (failure.message.map { " Message: \($0)" } ?? "")
        }
        let captureNote = "Preview of the screen as first shown."
        return appStatus.map { "\(captureNote) The device is at \($0.screen)." }
            ?? "\(captureNote) The walkthrough has not started."
    }

    /// A link to each step's page, used if the device is at the step, and the action that navigates
    /// the device there.
    private var progressSegments: [TemplateModel] {
        steps.enumerated().map { position, other in
            [
                "stepID": other.id, "screen": other.screen.id,
                "href": query.link(["branch": nil], path: Links.walkthroughStep(app.id, other.id)),
                "action": Links.walkthroughDevice(app.id, other.id),
                "state": position < index ? "passed" : position == index ? "current" : "coming",
                "current": position == index,
            ]
        }
    }

    /// A button that navigates the device to a step.
    private func moveButton(to other: WalkthroughStep, _ name: String? = nil)
        -> TextLinkModel
    { .init(name: name ?? other.name, href: Links.walkthroughDevice(app.id, other.id)) }
}

extension Services {
    /// The network activity of a walkthrough's last navigation (`walkthrough/activity`): the newest
    /// calls, oldest first, the newest mail to the walkthrough's person, and the stored items.
    /// `mailAction` opens the mail's link.
    func activity(of session: WalkthroughSession, mailAction: String) async throws -> TemplateModel
    {
        let callLimit = 8
        var query = ExchangeQuery(workspace: session.workspace)
        query.device = session.instance.device
        query.app = session.app
        query.keyset.limit = 100
        let since = session.current.lastExchangeSequence
        let exchanges = try await exchanges.exchanges(query).filter { $0.sequence > since }
        let moreCount = exchanges.count - callLimit
        let now = now(in: session.workspace)
        let mail = try await backend.mailbox.list(
            workspace: session.workspace, to: session.current.person.email,
            app: appCatalog.contract(ofApp: session.app), at: Keyset(limit: 1)
        ).items.first.map { mail -> TemplateModel in
            let isUsed = mail.usedAt != nil
            return [
                "subject": mail.subject,
                "receivedText": isUsed ? "Used" : "Received " + Format.ago(mail.sentAt, now),
                "receivedAt": mail.sentAt.iso8601,
                "openLinkAction": mail.link == nil || isUsed ? nil : mailAction,
                "code": isUsed ? nil : mail.code,
            ]
        }
        return [
            "switchWorkspaceAction": Links.switchWorkspace(session.workspace),
            "calls": exchanges.prefix(callLimit).reversed().map {
                ExchangeRowModel($0, base: baseURL(of: $0))
            }, "moreCallsText": moreCount > 0 ? Format.count(moreCount, "earlier request") : nil,
            "mail": mail,
            "storedItems": try await simulator.storageItems(session.instance).map {
                item -> TemplateModel in ["key": item.key, "area": item.area.rawValue]
            },
        ]
    }
}
