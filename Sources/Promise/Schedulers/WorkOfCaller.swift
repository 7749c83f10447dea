/// The scheduler of the work that the caller is a part of: that of its chain, or else of its task; nil if it is in none.
package var workOfCaller: (any SerialScheduler)? {
    let inherited = inheritedScheduler
    guard let task = TaskScheduler.current else { return inherited }
    // On a queue, the steps of a task run on the scheduler that the task's one wraps.
    return inherited == nil || inherited === (task as? any SchedulerWrapper)?.base ? task : inherited
}

extension SerialScheduler {
    /// The scheduler that wraps this one for the caller's work, so that what is started there belongs to that; without
    /// one, this scheduler.
    package var ofCaller: any SerialScheduler {
        guard let wrapper = workOfCaller as? any SchedulerWrapper, wrapper.base === self else { return self }
        return wrapper
    }
}
