/// The injected faults that the backend itself has to produce.
///
/// The fault injector gives an exchange a ticket. While the backend processes that exchange, it
/// asks at the relevant point whether a fault applies, so a code expires where it is checked and a
/// mail is lost where it is sent.
package struct FaultHooks: Sendable {
    /// The faults of an exchange; the raw value is the API name.
    package enum Kind: String, Sendable, CaseIterable {
        /// The password is correct, but the account is locked.
        case accountLocked
        /// The code is correct, but expired.
        case codeExpired
        /// This backend's clock differs from the device's.
        case clockSkew
        /// A mail is sent but never delivered.
        case mailLost
    }

    /// Seconds for `clockSkew`, 0 for the others; nil if no fault applies.
    let trigger: @Sendable (_ kind: Kind, _ ticket: String) -> Int?

    package init(trigger: @escaping @Sendable (_ kind: Kind, _ ticket: String) -> Int?) {
        self.trigger = trigger
    }

    /// Injects no faults.
    package static let none = FaultHooks { _, _ in nil }
}
