import Simulator
import Web

/// The controls below the phone.
extension StudioPages {
    /// Changes what the form names; the rest of the device stays as it is.
    @Sendable func device(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        let form = try Form(visit.request)
        let display = try DisplayChange(form)
        let build = try form.choice("build", of: Device.Build.self)
        let kind = try form.choice("biometrics", of: Device.Biometrics.Kind.self)
        _ = try await services.simulator.updateDevice(place.device, in: place.workspace) { device in
            device.display = display.made(of: device.display)
            if let build { device.build = build }
            if let kind { device.biometrics.kind = kind }
        }
        return back(place)
    }
}
