import Apps
import Simulator

extension ScreenBuilder {
    /// The fields in order, with values, errors and the initial focus.
    var fields: [ScreenField] {
        let focused = focusedField
        return screen.fields.map { field in
            let input = input(field)
            var model = ScreenField(
                name: field.name, id: "\(screen.id)-\(field.name)", label: field.label,
                placeholder: field.placeholder ?? field.label, type: input.type,
                testID: "\(screen.id).\(field.name)",
                autocomplete: field.autocomplete ?? input.autocomplete, inputMode: input.mode)
            model.value = status.fieldValues[field.name] ?? ""
            let error = status.fieldErrors[field.name]
            model.invalid = error != nil
            model.error = screen.errorPlacement == .field ? error : nil
            model.focus = field.name == focused
            model.required = screen.rules(of: field).contains { $0.test == .required }
            model.secret = field.type == .password
            model.enterKey = field.returnKey?.rawValue
            model.returnMovesToNext = field.returnKey == .next
            model.lines = field.lines
            if field.lines != nil, let limit = field.maxLength {
                let count = field.normalized(model.value).unicodeScalars.count
                model.counter = .init(count: String(count), limit: limit)
            }
            if !field.strengthLabels.isEmpty {
                model.strength = .init(
                    level: field.strengthLevel(of: model.value), labels: field.strengthLabels)
            }
            model.toggle = field.type == .toggle
            model.checked = model.toggle && Field.isOn(model.value)
            model.link = field.link?.href
            if let text = field.link?.text, let range = field.label.firstRange(of: text) {
                model.linkText = text
                model.labelBefore = String(field.label[..<range.lowerBound])
                model.labelAfter = String(field.label[range.upperBound...])
            }
            model.choice = field.type == .choice
            model.options = field.options.map { option in
                ScreenField.Option(
                    id: "\(screen.id)-\(field.name)-\(option.value)", value: option.value,
                    label: option.label, text: option.text, chosen: option.value == model.value,
                    testID: "\(screen.id).\(field.name).\(option.value)")
            }
            return model
        }
    }

    /// The first invalid field, or the one that a failure cleared.
    private var focusedField: String? {
        if let invalidField = screen.fields.first(where: { status.fieldErrors[$0.name] != nil }) {
            return invalidField.name
        }
        guard status.failure != nil, !status.fieldValues.isEmpty else { return nil }
        return screen.submitAction?.onFailure.fieldsToClear.first
    }

    /// The input's type, its keyboard, and the autofill token that password managers need (HTML,
    /// 4.10.18.7).
    private func input(_ field: Field) -> (type: String, mode: String, autocomplete: String) {
        switch field.type {
        case .text: ("text", "text", "off")
        case .code: ("text", "numeric", "one-time-code")
        case .email: ("email", "email", "username")
        case .password:
            ("password", "text", screen.asksForNewPassword ? "new-password" : "current-password")
        case .phone: ("tel", "tel", "tel")
        case .toggle: ("checkbox", "text", "off")
        case .choice: ("radio", "text", "off")
        }
    }
}
