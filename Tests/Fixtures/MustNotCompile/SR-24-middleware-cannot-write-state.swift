// expect-error: cannot assign to property: 'state' is a get-only property
// SR-24: middleware reads the state and cannot write it
import PromisedSystem

let middleware = Middleware<Int, Int>(before: { event, system in
    // <wrong>
    system.state = event
    // </wrong>
    return system.state == event ? .stop : .pass
})
