import Templates

@testable import Console

extension TemplateModel {
    static let eventChain: TemplateModel = [
        "steps": [
            [
                "id": "7", "depth": 0, "shape": TimelineModel.Shape.screen, "title": "Login",
                "at": "2026-11-21T14:34:50.118Z", "time": "14:34:50.118", "href": "/events/7",
                "isCurrent": false,
            ],
            [
                "id": "8", "depth": 1, "shape": TimelineModel.Shape.call,
                "title": "POST /auth/login 200", "at": "2026-11-21T14:34:50.122Z",
                "time": "14:34:50.122", "href": "/traffic/e2", "isCurrent": true,
            ],
        ] as [TemplateModel]
    ]
}
