#if canImport(UIKit)
    internal import Promise
    internal import UIKit

    // UIKit has no views on watchOS.
    #if !os(watchOS)
        extension NotificationContext {
            /// Notifies views inside of a UIKit animation: what a `Renderer` changes when it renders is animated.
            ///
            /// For a store on the main queue; the notifications of another one are not animated.
            ///
            /// - Parameter duration: How long the animation takes.
            public static func viewAnimation(duration: Duration) -> NotificationContext {
                NotificationContext { notify in
                    guard MainScheduler.main.isCurrent else { return notify() }
                    withoutActuallyEscaping(notify) { notify in
                        // Called on this thread, before this closure returns.
                        nonisolated(unsafe) let notify = notify
                        MainActor.assumeIsolated {
                            UIView.animate(withDuration: duration / .seconds(1)) { notify() }
                        }
                    }
                }
            }
        }
    #endif
#endif
