// expect-error: 'loop' is inaccessible due to 'internal' protection level
// FS-04: there is no way to the state behind the events
import PromisedSystem

func example(system: System<Int, Int>) {
    // <wrong>
    system.loop.state = 1
    // </wrong>
    system.sendEvent(1)
}
