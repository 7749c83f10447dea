extension CombineMachine.CombineState {
    var areFetched: Bool { left?.fetched != nil && right?.fetched != nil }

    var isRefreshing: Bool {
        awaitsLeft || awaitsRight || left?.fetched?.isRefreshing == true
            || right?.fetched?.isRefreshing == true
    }

    /// Differs from that of another pair; 0 if one of the two has none. Those of the two only grow.
    var revision: Int {
        guard let left = left?.fetched?.revision, let right = right?.fetched?.revision, left != 0, right != 0
        else { return 0 }
        return left &+ right
    }

    /// The progress of those that are being fetched, in sum.
    var progress: FetchProgress? {
        switch (left?.fetching?.progress, right?.fetching?.progress) {
        case (let left?, let right?): left.adding(right)
        // The rest of the other one is unknown, unless it is complete.
        case (let left?, nil): right?.isFetching == false ? left : left.ofUnknownTotal
        case (nil, let right?): left?.isFetching == false ? right : right.ofUnknownTotal
        case (nil, nil): nil
        }
    }
}

extension FetchProgress {
    fileprivate func adding(_ other: FetchProgress) -> FetchProgress {
        var sum = ofUnknownTotal
        // The numbers come from servers, which may announce any.
        let (done, isMore) = completed.addingReportingOverflow(other.completed)
        sum.completed = isMore ? (completed < 0 ? .min : .max) : done
        if let total, let otherTotal = other.total {
            let (all, isTooLarge) = total.addingReportingOverflow(otherTotal)
            sum.total = isTooLarge ? nil : all
        }
        if let remaining, let otherRemaining = other.remaining {
            sum.remaining = max(remaining, otherRemaining)
        }
        return sum
    }

    fileprivate var ofUnknownTotal: FetchProgress { FetchProgress(completed: completed) }
}

extension Fetchable {
    var isFetching: Bool { fetching != nil }
    var refreshFailure: FetchFailure? { fetched?.refreshFailure }

    /// The parts of a failure, for a fetch of another type of value.
    var failureParts: (error: any Error, attempts: Int, canRetry: Bool)? {
        failure.map { ($0.error, $0.failedAttempts, $0.retry != nil) }
    }
}

extension Action {
    /// Whether it is a method of a source, whose model changes in answer to it.
    var isOfSource: Bool {
        switch identity {
        case .method, .decoded: true
        case .closure, .nothing, .placeholder: false
        }
    }
}
