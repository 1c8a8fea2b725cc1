import Apps
import Testing

/// Somebody made up fills in forms, rightly and wrongly.
@Suite(.timeLimit(.minutes(10))) struct SamplePersonaTests {
    private static let apps = ["bob", "clarity", "mystica", "mystica-instant", "socoto", "wall"]

    @Test(arguments: apps) func `every form of every app can be filled in`(id: String) throws {
        let app = try Manifests.own(id)
        for screen in app.screens {
            let values = screen.validInput(from: SamplePersona())
            #expect(Set(values.keys) == Set(screen.fields.map(\.name)))
            for action in screen.allActions {
                #expect(screen.check(values, for: action).isEmpty)
                #expect(screen.isEnabled(action, values))
            }
        }
    }

    @Test(arguments: apps) func `each rule of each form can be broken`(id: String) throws {
        let app = try Manifests.own(id)
        for screen in app.screens {
            for state in app.screenStates(of: screen) {
                guard case .fieldError(let field, let message) = state.cause else { continue }
                let mistake = try #require(
                    screen.invalidInput(field: field, message: message, from: SamplePersona()),
                    "\(screen.id) \(state.name)")
                #expect(mistake.errors[field] == message)
            }
        }
    }

    @Test func `a form that asks for a password twice gets it twice`() throws {
        let app = try Manifests.own("clarity")
        let screen = try #require(app.screen("register"))
        let values = screen.validInput(from: SamplePersona())
        #expect(values["password"] == values["confirm"])
        #expect(values["firstName"] == "Mira")
        #expect(values["lastName"] == "Holt")
    }

    @Test func `a launch whose failures lead on shows none of them`() throws {
        let app = try Manifests.own("clarity")
        let screen = try #require(app.screens.first { $0.kind == .launch })
        #expect(app.states(of: screen) == ["default"])
    }
}
