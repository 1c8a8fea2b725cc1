/// The purpose of a link in one of Mystica's mails.
enum MysticaLink: Sendable {
    case verify, reset

    var purpose: Challenge.Purpose {
        switch self {
        case .verify: .verify
        case .reset: .reset
        }
    }
}
