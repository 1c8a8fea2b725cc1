import Support
import Testing

@testable import Simulator

/// Socoto's tokens behind the sensor.
@Suite(.timeLimit(.minutes(10))) struct SocotoLockTests {
    private func signedIn(_ sensor: Device.Biometrics) async throws -> Phone {
        let phone = try await SupabaseWire.signedIn()
        _ = try await phone.simulator.updateDevice(phone.instance.device, in: "main") {
            $0.biometrics = sensor
        }
        return phone
    }

    private func turnOn(_ phone: Phone) async throws {
        _ = try await phone.open("profile")
        _ = try await phone.act("profile", "biometrics", ["biometricEnabled": "on"])
    }

    @Test func `SOC-95 with the switch on, a cold start needs the sensor`() async throws {
        let phone = try await signedIn(.init(kind: .faceID))
        #expect(try await phone.relaunch().screen == "profile")
        try await turnOn(phone)
        #expect(try await phone.relaunch().screen == "unlock")
        #expect(try await phone.open("profile").redirected == "unlock")
        for (result, screen) in [(Device.Biometrics.Result.noMatch, "unlock"), (.match, "loading")]
        {
            let action = try await phone.simulator.runAction(
                phone.instance, screen: "unlock", action: "unlock", form: [:], sensor: result)
            #expect(action.screen == screen)
        }
        #expect(try await phone.launch().screen == "profile")
    }

    @Test func `SOC-95 signing out of the lock forgets the tokens and the switch`() async throws {
        let phone = try await signedIn(.init(kind: .touchID))
        try await turnOn(phone)
        _ = try await phone.relaunch()
        #expect(try await phone.act("unlock", "signOut").screen == "welcome")
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `SOC-95 without a sensor there is no switch`() async throws {
        let phone = try await signedIn(.init(kind: .none))
        await #expect(throws: (any Error).self) { try await turnOn(phone) }
        #expect(try await phone.relaunch().screen == "profile")
    }
}
