import Apps
import Testing

/// Valid and invalid form input of a fictitious user.
@Suite(.timeLimit(.minutes(10))) struct SamplePersonaTests {
    private static let apps = ["bob", "clarity", "mystica", "mystica-instant", "socoto", "wall"]

    @Test(arguments: apps) func `every form of every app can be filled in`(id: String) throws {
        let app = try Manifests.bundled(id)
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
        let app = try Manifests.bundled(id)
        for screen in app.screens {
            for state in app.screenStates(of: screen) {
                guard case .fieldError(let field, let message) = state.cause else { continue }
                let input = try #require(
                    screen.invalidInput(field: field, message: message, from: SamplePersona()),
                    "\(screen.id) \(state.name)")
                #expect(input.errors[field] == message)
            }
        }
    }

    @Test func `a password confirmation gets the same password`() throws {
        let app = try Manifests.bundled("clarity")
        let screen = try #require(app.screen("register"))
        let values = screen.validInput(from: SamplePersona())
        #expect(values["password"] == values["confirm"])
        #expect(values["firstName"] == "Mira")
        #expect(values["lastName"] == "Holt")
    }

    @Test func `a launch screen whose failures lead to other screens has one state`() throws {
        let app = try Manifests.bundled("clarity")
        let screen = try #require(app.screens.first { $0.kind == .launch })
        #expect(app.states(of: screen) == ["default"])
    }
}
