import PromisedModels

/// A model with numbers that may be NaN.
struct Gauge: Model {
    struct Reading: Equatable { var number = 0.0, name = "" }
    struct State: Equatable {
        var number = 0.0
        var level: Float?
        var reading = Reading()
        var list: [Double] = []
        var changes = 0
    }
    enum Event: Equatable { case level(Double) }
    let context: ModelContext<Gauge>
    var state: ModelState<Self> { context.state }
}
