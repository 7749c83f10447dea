/// What `--help` and `--version` print.
enum Help {
    static let version = "product-page 0.1.0"

    static let text = """
        Usage: product-page [SOURCE] [options]

        Shows a product from schema.org data, and keeps a cart.

        Examples:
          product-page                                  what the bundled catalogue has
          product-page https://example.com/lamp         a shop's own page
          product-page shop.json --list                 what there is in a file
          product-page --product CLK-7 --events load,add,wait
          product-page --fail-rate 0.5 --seed 7         how failures look

        SOURCE is a file or an http(s) address: JSON, JSON-LD, or a page with JSON-LD.
        Without it the bundled catalogue is shown.

        Options:
          --product ID        the product to show: an id, a name, or part of either
          --list              list the products instead
          --events LIST       send load, add, remove, refresh, next, previous,
                              cancel, wait; - reads them from standard input
          --json              one JSON object a line
          --cart FILE         where the cart is kept (default: your state directory)
          --analytics FILE    write a JSON line for each tracked event
          --timeout SECONDS   give up loading after that long (default 30)
          --latency MS        delay of the bundled catalogue (default 800)
          --fail-rate RATE    share of its loads that fail, 0 to 1 (default 0)
          --seed N            make the failures the same on each run
          --help, --version   print this, or the version

        Exit codes: 0 done, 1 the last settled state is an error, 64 wrong usage,
        66 no such file or no product in it, 69 unreachable, 130 interrupted.
        """
}
