import Simulator
import Web

/// The device controls below the phone.
extension StudioPages {
    /// Changes the submitted settings only.
    @Sendable func updateDevice(_ context: RequestContext) async throws -> Response {
        let (instance, _) = try await resolveInstance(of: context)
        let form = try Form(context.request)
        let display = try DisplayChange(form)
        let build = try form.choice("build", of: Device.Build.self)
        let kind = try form.choice("biometrics", of: Device.Biometrics.Kind.self)
        _ = try await services.simulator.updateDevice(instance.device, in: instance.workspace) {
            device in
            device.display = display.applied(to: device.display)
            if let build { device.build = build }
            if let kind { device.biometrics.kind = kind }
        }
        return redirectToStudio(instance)
    }
}
