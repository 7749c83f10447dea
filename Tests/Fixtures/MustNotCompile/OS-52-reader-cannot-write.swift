// expect-error: cannot assign to property
// OS-52: a handle that only reads cannot write
import PromisedModels

func example(reader: StateReader<Int>) -> Int {
    // <wrong>
    reader.value = 1
    // </wrong>
    return reader.value
}
