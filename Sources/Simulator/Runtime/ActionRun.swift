package import Apps
import Traffic
import Web

/// One run of calls: its app instance, its cause, and its captured values so far.
struct ActionRun: Sendable {
    let instance: AppInstance
    let app: App
    /// The app launch that started it.
    var launchID: Int
    let cause: ExchangeContext.Cause
    /// The event that started it.
    var startEvent: Int64?
    /// The submitted fields by name, normalized.
    var fields: [String: JSON] = [:]
    /// Values that must not be stored in any form.
    var passwords: [String] = []
    /// Whether the app is killed when its first request is sent.
    var isKillPending = false
    /// The calls of which a request got no response.
    var lostCalls: Set<String> = []
    /// The storage keys of a begun action that this run finishes.
    var finishedKeys: [String] = []
    /// What the keys that its action begins with held before.
    var itemsBefore: [String: StorageItem] = [:]
    /// The calls that succeeded.
    var completedCalls: Set<String> = []
    /// Values that its calls captured.
    var captured: [String: JSON] = [:]
    /// Names without a value in the responses that should have it.
    var absentNames: Set<String> = []
    /// Values that its calls leave in memory.
    var rememberedValues: [(name: String, key: String, value: JSON)] = []
    /// The last exchange, with its event.
    var lastExchange: String?
    var lastEvent: Int64?

    /// The cause of further events.
    var causeEvent: Int64? { lastEvent ?? startEvent }

    init(_ context: ActionContext, _ cause: ExchangeContext.Cause, startEvent: Int64? = nil) {
        instance = context.instance
        app = context.app
        launchID = context.transient.launchID
        self.cause = cause
        self.startEvent = startEvent
    }

    /// `sent` is the run's last exchange.
    mutating func record(_ sent: Recorder.RecordedExchange) {
        lastExchange = sent.id
        lastEvent = sent.eventID
    }

    /// Adds the results of a successful call.
    mutating func recordSuccess(
        of call: Call, _ name: String, _ captured: [String: JSON], _ context: ActionContext
    ) {
        completedCalls.insert(name)
        self.captured.merge(captured) { $1 }
        absentNames.formUnion(call.success.capturePointers.keys)
        absentNames.subtract(self.captured.keys)
        let variables = context.variables(of: self)
        rememberedValues += call.valuesToRemember.map { name, text in
            let perField = app.memory.first { $0.name == name }?.perField
            let key = perField.flatMap { field in
                variables[field]?.scalarText.map { app.memoryKey($0, of: field) }
            }
            return (name, key ?? "", .string(variables.fill(text)))
        }
    }

    /// The result if the app is killed during the run.
    var terminatedResult: ActionResult {
        ActionResult(screen: app.launchScreenID, succeeded: false)
    }
}

/// The result of a call or a refresh.
enum CallResult: Sendable {
    /// The captured values; those of a refresh are stored.
    case success([String: JSON])
    /// The tokens stay stored.
    case failure(CallFailure)
    /// The session could not be refreshed; its expiry rules were applied.
    case sessionExpired
}

/// A call's last request, with the interpretation of the response.
struct CallResponse: Sendable {
    let sent: Recorder.RecordedExchange
    /// The number of the attempt.
    var attempt = 1
    /// Nil without a response.
    let interpretation: Call.Interpretation?

    /// Why there is no usable response; empty if there is one.
    var problem: String {
        if case .failed(let failure) = sent.result.outcome { return failure.detail }
        if case .invalid(let detail) = interpretation { return detail }
        return ""
    }

    /// Nil without a response.
    var status: Int? {
        if case .responded(let response) = sent.result.outcome { response.status } else { nil }
    }
}

/// A token that a call carries, with its name in the manifest.
struct BearerToken: Sendable {
    var name: String
    /// Nil if the device had none.
    var token: String?
    /// False if this run captured the token and has not stored it yet. Then neither a refresh nor a
    /// session expiry applies: the stored session may be another user's.
    var isStored = true
}

/// What runs once at a time: in one launch of an app, an action of a screen, a launch, a screen's
/// load or a refresh.
struct RunKey: Hashable, Sendable {
    let instance: AppInstance
    let launchID: Int
    let screen: String
    let action: String

    init(_ run: ActionRun, screen: String = "", action: String = "") {
        instance = run.instance
        launchID = run.launchID
        self.screen = screen
        self.action = action
    }
}

/// The result of an action or a launch.
package struct ActionResult: Sendable, Equatable {
    /// The screen to show now, with its errors, toast and values.
    package var screen: String
    package var succeeded: Bool
    /// The manifest's failure row that a failed call's response matched, if any.
    package var matchedFailure: Call.Failure?

    /// Ignores `matchedFailure`: it is the reason, not the result.
    package static func == (lhs: ActionResult, rhs: ActionResult) -> Bool {
        lhs.screen == rhs.screen && lhs.succeeded == rhs.succeeded
    }
}

extension ActionResult {
    /// The result of an action that failed, with the screen shown then.
    init(_ failure: CallFailure, on screen: String) {
        self.init(screen: screen, succeeded: false, matchedFailure: failure.matchedFailure)
    }
}

extension App {
    /// Whether two values of `field` name the same account, such as addresses in different case.
    func isSame(_ value: JSON?, _ other: JSON?, as field: String) -> Bool {
        memoryKey(value?.scalarText ?? "", of: field)
            == memoryKey(other?.scalarText ?? "", of: field)
    }

    /// The key of `text` in a memory that has one value per value of `field`.
    func memoryKey(_ text: String, of field: String) -> String {
        screens.lazy.flatMap(\.fields).first { $0.name == field }?.identityKey(text) ?? text
    }
}

/// The values submitted for a screen's fields.
struct FormInput: Sendable {
    /// Unmodified, of the screen's own fields only.
    private(set) var values: [String: String] = [:]
    /// Values that must not be stored in any form.
    private(set) var passwords: [String] = []
    /// All but passwords.
    private(set) var nonSecretValues: [String: String] = [:]

    /// `previousValues` are used if the form contains none of the fields: a button in its own form,
    /// or a dialog over the screen, sends none.
    init(
        _ form: [String: String], of action: Action, on screen: Screen,
        _ previousValues: [String: String]
    ) {
        let isSent =
            action.name == Action.submitName || screen.fields.contains { form[$0.name] != nil }
        for field in screen.fields {
            let value = (isSent ? form : previousValues)[field.name] ?? ""
            values[field.name] = value
            guard field.type == .password else {
                nonSecretValues[field.name] = value
                continue
            }
            for password in [value, field.normalized(value)]
            where !password.isEmpty && !passwords.contains(password) { passwords.append(password) }
        }
    }
}

/// Why a call failed, with the message for the user.
struct CallFailure: Sendable {
    /// `offline`, `timeout`, `connection`, `invalidResponse`, a failure row's own kind, or
    /// `failed`: the kinds that a launch table's `onFailure` rows match.
    var kind: String
    var message: String
    /// Messages below single fields, instead of the message.
    var fieldMessages: [String: String] = [:]
    /// The screen it opens.
    var targetScreen: String?
    var exchange: String?
    /// The manifest's row that the response matched.
    var matchedFailure: Call.Failure?
    /// Whether the backend rejected the request. A failing server may have handled it.
    var isRejection = false

    /// No usable response.
    init(_ failure: TransportFailure, app: App, exchange: String?) {
        let messages = app.network.messages
        self.exchange = exchange
        (kind, message) =
            switch failure.kind {
            case .nameLookup: ("offline", messages.offline)
            // For a phone, an unreachable server is the same as no network, unless its app
            // distinguishes the two.
            case .connection: ("offline", messages.connectionRefused ?? messages.offline)
            case .timeout: ("timeout", messages.timeout)
            case .invalidResponse, .tooLarge: ("invalidResponse", messages.invalidResponse)
            case .refusedURL, .refusedAddress, .tls, .requestTooLarge, .cancelled:
                ("connection", messages.connection)
            }
    }

    /// An error response with `status`. `fieldMessages` are the response's messages for single
    /// fields, used without a failure row.
    init(
        _ failure: Call.Failure?, status: Int, message: String,
        fieldMessages: [String: String] = [:], exchange: String?
    ) {
        kind = failure?.kind ?? "failed"
        isRejection = status < 500
        self.message = message
        if let field = failure?.field {
            self.fieldMessages = [field: message]
        } else if failure == nil, !fieldMessages.isEmpty {
            self.fieldMessages = fieldMessages
            self.message = fieldMessages.sorted { $0.key < $1.key }.map(\.value).joined(
                separator: " ")
        }
        targetScreen = failure?.destination
        matchedFailure = failure
        self.exchange = exchange
    }

    /// A failure before a request was sent, or an unreadable response.
    init(kind: String = "failed", message: String, exchange: String? = nil) {
        self.kind = kind
        self.message = message
        self.exchange = exchange
    }
}

extension AppStatus.Failure {
    /// A failure shown on the screen it leads to.
    init(_ failure: CallFailure) {
        self.init(
            message: failure.message, title: nil, presentation: .inline, exchange: failure.exchange)
    }
}

extension ActionRun {
    /// Takes over the fields of a begun action, if `action` finishes it for the same account;
    /// returns the calls that remain.
    mutating func prepareFinish(of action: Action, _ context: ActionContext) -> [String] {
        guard let finish = action.finish,
            case .object(let members)? = context.persisted.items[finish.storageKey]?.json,
            finish.sharedFields.allSatisfy({ name in
                app.isSame(members.first { $0.name == name }?.value, fields[name], as: name)
            })
        else { return [] }
        for member in members where fields[member.name] == nil {
            fields[member.name] = member.value
        }
        finishedKeys = [finish.storageKey]
        return finish.calls
    }
}
