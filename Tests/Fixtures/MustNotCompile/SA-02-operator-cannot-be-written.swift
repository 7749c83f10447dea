// expect-error: cannot assign to property: 'value' is a get-only property
// SA-02: a source that an operator makes has no way to write either
import PromisedSystem

func example(source: Source<Int>) -> Int {
    let doubled = source.map { $0 * 2 }
    // <wrong>
    doubled.value = 1
    // </wrong>
    return doubled.value
}
