@testable import Console

extension ThreadModel {
    static let mock = ThreadModel(
        anySteps: true,
        steps: [
            Step(
                id: "7", depthClass: "thread-0", shape: .screen, what: "Login",
                at: "2026-11-21T14:34:50.118Z", time: "14:34:50.118", href: "/events/7",
                isThis: false),
            Step(
                id: "8", depthClass: "thread-1", shape: .call, what: "POST /auth/login 200",
                at: "2026-11-21T14:34:50.122Z", time: "14:34:50.122", href: "/traffic/e2",
                isThis: true),
        ])
}
