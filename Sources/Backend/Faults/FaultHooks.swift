/// Trouble on purpose, as far as the backend itself has to make it.
///
/// Whoever arms it gives an exchange a ticket; while the backend works on
/// that exchange it asks, at the moment it matters, whether something befalls
/// it. So a code expires where it is checked, and a mail is lost where it is
/// sent.
package struct FaultHooks: Sendable {
    /// What may befall an exchange; the raw value is its name outside.
    package enum Kind: String, Sendable, CaseIterable {
        /// A right password meets a locked account.
        case accountLocked
        /// A right code has just expired.
        case codeExpired
        /// This backend's clock is not the device's.
        case clockSkew
        /// A mail is sent and never arrives.
        case mailLost
    }

    /// Seconds for `clockSkew`, 0 for the others; nil if nothing befalls it.
    let trigger: @Sendable (_ kind: Kind, _ ticket: String) -> Int?

    package init(trigger: @escaping @Sendable (_ kind: Kind, _ ticket: String) -> Int?) {
        self.trigger = trigger
    }

    /// Everything goes well.
    package static let none = FaultHooks { _, _ in nil }
}
