/// What a link in one of Mystica's mails is for.
enum MysticaLink: Sendable {
    case verify, reset

    var purpose: Challenge.Purpose {
        switch self {
        case .verify: .verify
        case .reset: .reset
        }
    }
}
