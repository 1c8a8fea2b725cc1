/// `/faults`: the active faults, the presets, and the form to add one
/// (`faults/faults`).
///
/// Parts, each with its own template: `total`, `active`, `presets`.
struct FaultsModel: Encodable, Sendable {
    /// `2 active`.
    var totalText: String
    /// The list of exchanges affected by faults.
    var affectedURL: String
    /// POST; nil without active faults.
    var turnOffAllAction: String?
    var active: [Row]
    var presets: [PresetRow]
    var form: FormModel

    struct Row: Encodable, Sendable {
        var id: String
        var rowIcon: String
        var name: String
        var sentence: String
        /// `1 of 3`, `4 times`, `Not yet`.
        var usage: String
        /// `POST /auth/login at 14:37:26`; nil before the first application.
        var lastCall: String?
        var lastURL: String?
        /// The preset it was created from; nil for none.
        var presetName: String?
        var turnOffAction: String
    }

    /// A preset's button: turns it on, or off while active.
    struct PresetRow: Encodable, Sendable {
        var presetID: String
        var presetName: String
        var presetText: String
        var isOn: Bool
    }

    /// The submitted values and their errors.
    struct FormModel: Encodable, Sendable {
        var kinds: [ChoiceModel]
        var apps: [ChoiceModel]
        var devices: [ChoiceModel]
        /// Call names of all apps.
        var calls: [ChoiceModel]
        var isAfterPhase: Bool
        /// `3`; empty for until turned off.
        var times: String
        var settings: [Setting]
        /// One sentence with the errors of fields that do not show their own.
        var formError: String?
        var kindError: String?
        var timesError: String?
        var callError: String?
        var phaseError: String?
    }

    /// A field that only some kinds use.
    struct Setting: Encodable, Sendable {
        var settingID: String
        var label: String
        var hint: String
        var value: String
        /// `decimal` or `text`.
        var inputMode: String
        var isLong: Bool
        var settingError: String?
    }
}
