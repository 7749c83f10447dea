// expect-error: cannot assign to property: 'value' is a get-only property
// PK-34: a source of a system reads and cannot show anything
import PromisedSystem

func example(system: System<Int, Int>) -> Int {
    // <wrong>
    system.settled.value = 1
    // </wrong>
    return system.settled.value
}
