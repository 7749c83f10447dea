#if canImport(os)
    public import os

    extension System {
        /// Shows each turn, and each call of an endpoint, as an interval in Instruments: see ``onInterval(_:)``.
        ///
        /// - Parameter signposter: Emits the intervals, which are named "turn" and "call". The event, or the endpoint with
        ///   its input, is the message: public, so that Instruments shows it.
        public func signpostIntervals(with signposter: OSSignposter) {
            onInterval { interval in
                let id = signposter.makeSignpostID()
                // Passed on to the end, which is called once.
                nonisolated(unsafe) let state =
                    switch interval.kind {
                    case .turn: signposter.beginInterval("turn", id: id, "\(interval.name, privacy: .public)")
                    case .call: signposter.beginInterval("call", id: id, "\(interval.name, privacy: .public)")
                    }
                return {
                    switch interval.kind {
                    case .turn: signposter.endInterval("turn", state)
                    case .call: signposter.endInterval("call", state)
                    }
                }
            }
        }

        /// Logs a line for each event: as `logTurns` does with a closure.
        ///
        /// - Parameters:
        ///   - logger: Is passed each line as a public message.
        ///   - level: The level of the lines.
        /// - Returns: A token that ends the log when cancelled.
        @discardableResult
        public func logTurns(to logger: Logger, level: OSLogType = .debug) -> SubscriptionToken {
            logTurns { line in logger.log(level: level, "\(line, privacy: .public)") }
        }
    }
#endif
