/// `/conditions`: what is active, the named sets, the form for one more
/// (`conditions/conditions`).
///
/// Parts, each a template: `total`, `active`, `sets`.
struct FaultsModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    /// `2 active`.
    var totalText: String
    /// The exchanges conditions struck.
    var affectedURL: String
    /// POST; nil while there are none.
    var turnOffAllAction: String?
    var active: [Row]
    var presets: [PresetRow]
    var form: FormModel

    struct Row: Encodable, Sendable {
        var id: String
        var rowIcon: String
        var name: String
        var sentence: String
        /// `1 of 3`, `4 times`, `not yet`.
        var usage: String
        /// `POST /auth/login at 14:37:26`; nil before the first strike.
        var lastCall: String?
        var lastURL: String?
        /// The set it came with; nil for none.
        var presetName: String?
        var turnOffAction: String
    }

    /// A set as a button: turned on, or ended while it is on.
    struct PresetRow: Encodable, Sendable {
        var presetID: String
        var presetName: String
        var presetText: String
        var isOn: Bool
    }

    /// As it was typed, with what is wrong.
    struct FormModel: Encodable, Sendable {
        var kinds: [ChoiceModel]
        var apps: [ChoiceModel]
        var devices: [ChoiceModel]
        /// Groups of calls by app.
        var calls: [ChoiceModel]
        var isAfterPhase: Bool
        /// `3`; empty for until it is ended.
        var times: String
        var settings: [Setting]
        /// A sentence for what is wrong with no field of its own.
        var formError: String?
        var kindError: String?
        var timesError: String?
        var callError: String?
        var phaseError: String?
    }

    /// A field that means something to some kinds only.
    struct Setting: Encodable, Sendable {
        var settingID: String
        var label: String
        var hint: String
        var value: String
        /// `number` or `text`.
        var inputMode: String
        var isLong: Bool
        var settingError: String?
    }
}
