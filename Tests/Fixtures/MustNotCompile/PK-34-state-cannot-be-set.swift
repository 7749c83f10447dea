// expect-error: cannot assign to property: 'state' is a get-only property
// PK-34: nobody but the loop changes the state of a system
import PromisedSystem

func example(system: System<Int, Int>) -> Int {
    // <wrong>
    system.state = 1
    // </wrong>
    return system.state
}
