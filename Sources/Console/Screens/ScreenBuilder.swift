import Apps
import Simulator
import Web

/// Builds a screen's template model from the app's status.
struct ScreenBuilder {
    let status: AppStatus
    let screen: Screen
    let csrf: String
    /// The action whose confirmation is shown.
    let confirmingAction: String?
    /// Whether it is shown in the console's device frame.
    let isFramed: Bool
    /// Whether animations and automatic transitions are off.
    let isStatic: Bool
    /// The action in progress.
    let busyAction: String?
    /// The URLs of the app's screens.
    let screenLinks: ScreenLinks
    /// The values of variables in labels and texts.
    private let variables: Variables

    init(
        status: AppStatus, screen: Screen, csrfToken: String, confirmingAction: String?,
        isFramed: Bool,
        isStatic: Bool = false, busyAction: String? = nil, screenLinks: ScreenLinks? = nil
    ) {
        self.status = status
        self.screen = screen
        self.csrf = csrfToken
        self.confirmingAction = confirmingAction
        self.isFramed = isFramed
        self.isStatic = isStatic
        self.busyAction = busyAction
        self.screenLinks = screenLinks ?? ScreenLinks(app: status.app.id)
        variables = Variables(
            status.availableValues.merging(["device": status.device.manifestVariables]) { $1 })
    }

    private var app: App { status.app }

    /// Milliseconds after a keystroke until live rules are checked: short enough to seem immediate,
    /// and without a request for every letter.
    private static let liveValidationDelay = 150

    func build() -> ScreenModel {
        let display = status.device.display
        let appearance = app.resolvedAppearance(for: display.appearance)
        var model = ScreenModel(
            app: ScreenModel.App(
                id: app.id, name: app.name, appearance: appearance.rawValue,
                colorScheme: appearance == .system ? "light dark" : appearance.rawValue),
            screen: screenModel, csrfToken: csrf)
        model.text = textRuns
        model.fieldList = fields
        model.fields = Dictionary(uniqueKeysWithValues: model.fieldList.map { ($0.name, $0) })
        model.tabs = tabs
        model.submit = submit
        for (name, action) in actions {
            model.actions[name] = action
            model.actionList.append(action)
        }
        for (name, link) in links {
            model.links[name] = link
            model.linkList.append(link)
        }
        model.notice = status.notice.map(ScreenModel.Message.init)
        model.toast = status.toast.map(ScreenModel.Message.init)
        model.confirm = confirmation
        model.prompt = prompt
        model.backend = backend
        model.launching = launching
        model.liveValidation = liveValidation
        model.captured = status.availableValues.compactMapValues(CapturedValue.init)
        model.capturedList = model.captured.sorted { $0.key < $1.key }.flatMap {
            $0.value.texts(at: $0.key)
        }
        if let alert = status.alert {
            model.alert = ScreenModel.Alert(
                title: alert.title ?? app.name, message: alert.text, buttonLabel: alert.buttonLabel,
                href: alert.targetScreen.map { screenLinks.screenURL($0) } ?? dismissedURL)
        }
        if screen.errorPlacement == .form {
            model.failure = firstFieldError.map(ScreenModel.Message.init)
        }
        if let failure = status.failure {
            switch failure.presentation {
            case .inline: model.failure = .init(message: failure.message)
            case .alert:
                model.alert = ScreenModel.Alert(
                    title: failure.title ?? app.name, message: failure.message, buttonLabel: "OK",
                    href: dismissedURL)
            }
        }
        return model
    }

    /// The screen's URL after its alert was dismissed.
    private var dismissedURL: String {
        Links.url(screenLinks.screenURL(screen.id), [("dismissed", "1")])
    }

    /// The error of the first invalid field.
    private var firstFieldError: String? {
        screen.fields.lazy.compactMap { status.fieldErrors[$0.name] }.first
    }

    private var screenModel: ScreenModel.Screen {
        // Tabs share a heading, but their document titles must differ.
        let name = screen.tabs.isEmpty ? screen.title : label(of: screen)
        let title = name == app.name ? app.name : "\(name) · \(app.name)"
        let textSize = status.device.display.textSize
        return ScreenModel.Screen(
            id: screen.id, title: screen.title, documentTitle: title, kind: screen.kind.rawValue,
            framed: isFramed, textSize: textSize == .default ? nil : textSize.rawValue,
            isStatic: isStatic)
    }

    private func label(of screen: Screen) -> String { screen.submitAction?.label ?? screen.title }

    private func testID(_ parts: String...) -> String {
        ([screen.id] + parts).joined(separator: ".")
    }

    private var textRuns: [ScreenModel.TextRun] {
        screen.textSegments(variables).map { .init(text: $0.text, strong: $0.isVariable) }
    }

    private var tabs: [ScreenModel.Tab] {
        screen.tabs.compactMap { id in
            guard let other = app.screen(id) else { return nil }
            return ScreenModel.Tab(
                label: label(of: other), href: screenLinks.screenURL(id), current: id == screen.id,
                submitsForm: submit != nil, testID: testID("tab", id))
        }
    }

    private var submit: ScreenModel.Submit? {
        guard let submit = screen.submitAction, isAvailable(submit) else { return nil }
        return ScreenModel.Submit(
            label: submit.label, href: screenLinks.actionURL(screen.id, submit.name),
            testID: testID("submit"), enabledWhen: enabledCondition(submit),
            hint: submit.hint ?? "Double tap to \(submit.label.lowercased())")
    }

    /// The condition that enables the action's button.
    private func enabledCondition(_ action: Action) -> ScreenModel.EnabledCondition? {
        switch action.enabledRule {
        case .always: nil
        case .filled(let names):
            ScreenModel.EnabledCondition(
                requiredFields: names.joined(separator: " "), requiresValid: false,
                isDisabled: !isEnabled(action))
        case .valid:
            ScreenModel.EnabledCondition(
                requiredFields: screen.requiredFields.joined(separator: " "), requiresValid: true,
                isDisabled: !isEnabled(action))
        }
    }

    /// Whether the device and the backend support the action.
    func isAvailable(_ action: Action) -> Bool {
        status.device.supports(action) && app.canPerform(action, backend: status.backend)
    }

    private func isEnabled(_ action: Action) -> Bool {
        screen.isEnabled(action, status.fieldValues)
    }

    private var actions: [(name: String, action: ScreenAction)] {
        var actions: [(name: String, action: ScreenAction)] = []
        for action in screen.actions where isAvailable(action) {
            let href = screenLinks.actionURL(screen.id, action.name)
            let model = ScreenAction(
                label: variables.fill(action.label), href: href,
                confirmHref: action.confirmation.map { _ in
                    Links.url(screenLinks.screenURL(screen.id), [("confirm", action.name)])
                }, testID: testID(action.name),
                sensor: action.biometricCheck.map { _ in status.device.biometrics.kind.rawValue },
                role: action.role ?? "secondary", destructive: action.role == "destructive",
                enabledWhen: enabledCondition(action), hint: action.hint, inert: action.isInert,
                // The biometric prompt is closed by then; the form shows the progress.
                busy: action.name == busyAction && action.biometricCheck == nil)
            actions.append((action.name, model))
        }
        if screen.kind == .launch, status.failure != nil {
            actions.append(
                (
                    "retry",
                    ScreenAction(
                        label: "Retry", href: screenLinks.actionURL(screen.id, "retry"),
                        testID: testID("retry"), role: "primary")
                ))
        }
        return actions
    }

    private var links: [(name: String, link: ScreenModel.Link)] {
        screen.links.map { link in
            let title = app.screen(link.screen)?.title ?? link.screen
            return (
                link.name,
                ScreenModel.Link(
                    href: screenLinks.screenURL(link.screen), label: link.label ?? title,
                    testID: testID(link.name))
            )
        }
    }

    private var confirmation: ScreenModel.Confirmation? {
        guard let actionName = confirmingAction, let action = screen.action(actionName),
            let confirm = action.confirmation, isAvailable(action)
        else { return nil }
        return ScreenModel.Confirmation(
            title: confirm.title ?? action.label, text: confirm.text,
            confirmLabel: confirm.confirmLabel,
            cancelLabel: confirm.cancelLabel, href: screenLinks.actionURL(screen.id, action.name),
            cancelHref: screenLinks.screenURL(screen.id), testID: testID(action.name),
            destructive: action.role == "destructive", busy: action.name == busyAction)
    }

    private var launching: ScreenModel.Launching? {
        guard screen.kind == .launch, status.isLaunching, status.failure == nil else { return nil }
        let status = screen.text.map { variables.fill($0) }
        return ScreenModel.Launching(
            href: screenLinks.actionURL(screen.id, "launch"), status: status ?? "Loading",
            showsStatus: status != nil, testID: testID("launch"))
    }

    private var liveValidation: ScreenModel.LiveValidation? {
        let delay: Int
        switch screen.validation {
        case .debounce(let milliseconds): delay = milliseconds
        case .submit:
            guard screen.hasLiveRules else { return nil }
            delay = Self.liveValidationDelay
        }
        return ScreenModel.LiveValidation(
            href: screenLinks.actionURL(screen.id, "check"), delay: delay,
            checksLiveRulesOnly: screen.validation == .submit)
    }
}
