package import Testing

/// What the thread sanitizer has to see, and what it need not. `.ci/run` and `.ci/stress` look for the words
/// `.tags(.sharedState` and `.tags(.noSharedState` in the files of suites.
extension Tag {
    /// Several threads use what the suite tests: `.ci/run` runs it under the thread sanitizer.
    @Tag package static var sharedState: Self

    /// One thread at a time, or another process, does all the work of the suite: `.ci/stress` does not run it under the
    /// thread sanitizer.
    @Tag package static var noSharedState: Self
}
