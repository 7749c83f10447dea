import Promise

/// How a promise ends, and the promises derived from it.
struct Fate: Sendable {
    let name: String
    /// Makes a promise, applies `step` to it, and ends it.
    let happen: @Sendable (_ step: (Promise<Token>) -> End) -> Void

    init(_ name: String, _ happen: @escaping @Sendable ((Promise<Token>) -> End) -> Void) {
        self.name = name
        self.happen = happen
    }

    /// A fate of a promise that is pending at first.
    init(pending name: String, _ happen: @escaping @Sendable (End, Resolver<Token>) -> Void) {
        self.init(name) { step in
            let (promise, resolver) = Promise<Token>.pending()
            happen(step(promise), resolver)
        }
    }

    static let all: [Fate] = [
        // Settled from the start
        Fate("a value") { step in step(.value(Token())).start() },
        Fate("an error") { step in step(Promise(error: Refusal())).start() },
        Fate("an error, dropped idle") { step in _ = step(Promise(error: Refusal())) },

        // Fulfilled
        Fate("fulfilled by its body") { step in step(Promise { $0.fulfill(Token()) }).start() },
        Fate("fulfilled by a queue") { step in step(.later(Token())).start() },
        Fate("fulfilled by a task") { step in step(.async(Token())).start() },
        Fate(pending: "fulfilled while observed") { end, resolver in
            end.start()
            resolver.fulfill(Token())
        },
        Fate(pending: "fulfilled before it is observed") { end, resolver in
            resolver.fulfill(Token())
            end.start()
        },
        Fate(pending: "fulfilled after interim values") { end, resolver in
            end.start()
            resolver.report(Token())
            resolver.report(Token())
            resolver.fulfill(Token())
            resolver.report(Token())
            resolver.fulfill(Token())
        },

        // Rejected
        Fate("rejected by its body") { step in step(Promise { _ in throw Refusal() }).start() },
        Fate(pending: "rejected while observed") { end, resolver in
            end.start()
            resolver.resolve(.failure(Refusal()))
        },
        Fate(pending: "rejected after an interim value") { end, resolver in
            end.start()
            resolver.report(Token())
            resolver.reject(Refusal())
        },

        // Cancelled
        Fate(pending: "cancelled while observed") { end, _ in
            end.start()
            end.cancel()
        },
        Fate(pending: "cancelled idle") { end, _ in end.cancel() },
        Fate("cancelled at its source") { step in
            let (promise, resolver) = Promise<Token>.pending()
            let end = step(promise)
            end.start()
            promise.cancel()
            resolver.fulfill(Token())
        },
        Fate("cancelled while a task works") { step in
            let end = step(.asyncWaiting(Token()))
            end.start()
            end.cancel()
        },
        Fate(pending: "cancelled with a hook") { end, resolver in
            resolver.onCancel(Token().look)
            end.start()
            end.cancel()
        },

        // Abandoned
        Fate("abandoned by its body") { step in step(Promise { _ in }).start() },
        Fate("abandoned while observed") { step in
            var pending: (promise: Promise<Token>, resolver: Resolver<Token>)? = Promise<Token>.pending()
            let end = step(pending!.promise)
            end.start()
            pending?.resolver.onCancel(Token().look)
            pending = nil
            withExtendedLifetime(end) {}
        },

        // Dropped
        Fate("dropped idle") { step in
            let token = Token()
            _ = step(Promise { $0.fulfill(token) })
        },
        Fate("dropped idle while pending") { step in
            let (promise, resolver) = Promise<Token>.pending()
            _ = step(promise)
            resolver.report(Token())
        },
        Fate("dropped pending") { step in
            let (promise, resolver) = Promise<Token>.pending()
            step(promise).start()
            resolver.report(Token())
            // The started chain is released here; only the resolver is left, and is released now.
        },
    ]
}
