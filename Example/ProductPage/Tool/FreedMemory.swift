import Foundation

/// What a thread has freed, for all threads.
enum FreedMemory {
    /// Glibc lets threads keep it to themselves, and a large page that is loaded again and again takes its room
    /// once for each of them; nothing here allocates so much that they would stand in each other's way.
    static func share() {
        #if canImport(Glibc)
            // `mallopt(M_ARENA_MAX, 1)`: the module that Swift sees does not have it. The cast is safe, as this
            // is how malloc.h declares it.
            typealias SetOption = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
            guard let address = dlsym(dlopen(nil, RTLD_NOW), "mallopt") else { return }
            _ = unsafeBitCast(address, to: SetOption.self)(-8, 1)
        #endif
    }
}
