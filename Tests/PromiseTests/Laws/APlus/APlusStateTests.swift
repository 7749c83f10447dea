import Promise
import Testing

/// Promises/A+ 2.1, the states of a promise. Its *pending* corresponds to idle and pending here.
@Suite struct APlusStateTests {
    @Test("R1, A+ 2.1.1.1: a pending promise may become fulfilled or rejected", arguments: Moment.later)
    func pending(_ moment: Moment) {
        for (outcome, heard) in [(fulfilled, "7"), (rejected, "!e")] {
            let settling = moment.promise(outcome)
            let log = settling.promise.traced()
            #expect(settling.promise.result == nil)
            #expect(log.lines.isEmpty)
            settling.settle()
            #expect(settling.promise.result != nil)
            #expect(log.lines == [heard])
        }
    }

    @Test(
        "R1, A+ 2.1.2.1 and 2.1.3.1: a settled promise changes to no other state", arguments: Moment.allCases)
    func settled(_ moment: Moment) {
        for (outcome, heard) in [(fulfilled, "7"), (rejected, "!e")] {
            let settling = moment.promise(outcome)
            let log = settling.promise.traced()
            settling.settle()
            if let resolver = settling.resolver {
                #expect(!resolver.fulfill(8))
                #expect(!resolver.reject(Boom("other")))
                #expect(!resolver.resolve(outcome))
                #expect(!resolver.report(9))
            }
            settling.promise.cancel()
            #expect(settling.resolver?.isCancelled != true)
            #expect(log.lines == [heard])
            #expect(settling.promise.traced().lines == [heard])
        }
    }

    @Test(
        "R1, A+ 2.1.2.2: a fulfilled promise has one value, which does not change", arguments: Moment.allCases
    )
    func value(_ moment: Moment) {
        let token = Token()
        let settling = moment.promise(Result<Token, any Error>.success(token))
        let seen = Box<Token>()
        settling.promise.done { seen.value = $0 }
        settling.settle()
        settling.resolver?.fulfill(Token())
        #expect(seen.value === token)
        #expect(settling.promise.result?.value === token)
        let again = Box<Token>()
        settling.promise.done { again.value = $0 }
        #expect(again.value === token)
    }

    @Test(
        "R1, A+ 2.1.3.2: a rejected promise has one error, which does not change", arguments: Moment.allCases)
    func reason(_ moment: Moment) {
        let reason = Reason()
        let settling = moment.promise(Result<Int, any Error>.failure(reason))
        let seen = Box<Reason>()
        settling.promise.catch { seen.value = $0 as? Reason }
        settling.settle()
        settling.resolver?.reject(Reason())
        #expect(seen.value === reason)
        #expect(settling.promise.result?.error as? Reason === reason)
        let again = Box<Reason>()
        settling.promise.catch { again.value = $0 as? Reason }
        #expect(again.value === reason)
    }
}
