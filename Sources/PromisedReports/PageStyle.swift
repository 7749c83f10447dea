/// The style that all pages have, light and dark.
package struct PageStyle {
    package static let part = Page.Part(text: text, hash: "A5IwgVdefpaE7YCBTb4560BApJUNcl9hoJU6D+AVqKc=")

    private static let text = """
        :root { color-scheme: light dark; --text: #1d1f23; --dim: #5c636e; --back: #fff; --box: #f3f4f6;
          --line: #d8dbe0; --good: #1a6b33; --bad: #b3261e; --open: #7a5200; --link: #0b57c2; }
        @media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --dim: #a2a9b4; --back: #16181c;
          --box: #22252b; --line: #3a3f47; --good: #6fd08c; --bad: #ff8a80; --open: #f0c060; --link: #8ab4ff; } }
        body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
        main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 0.75rem; }
        h1, p, li { overflow-wrap: anywhere; }
        code, pre { font: 0.875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
        pre { background: var(--box); border-radius: 6px; padding: 0.6rem 0.8rem; white-space: pre-wrap; }
        li { margin: 0.25rem 0; } ol pre { margin: 0.25rem 0 0.75rem; }
        .verdict { border-left: 4px solid; padding: 0.5rem 0.9rem; background: var(--box); }
        .good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
        dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem; }
        dl div { background: var(--box); border-radius: 6px; padding: 0.5rem 0.8rem; }
        dt { color: var(--dim); font-size: 0.8rem; } dd { margin: 0; font-size: 1.25rem; }
        .wide { overflow-x: auto; margin-bottom: 1rem; }
        table { border-collapse: collapse; width: 100%; } td code { overflow-wrap: break-word; }
        th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0;
          border-bottom: 1px solid var(--line); }
        th { color: var(--dim); font-weight: 500; font-size: 0.8rem; white-space: nowrap; }
        a { color: var(--link); } :target { outline: 2px solid var(--link); }
        h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; overflow-wrap: anywhere; } .dim { color: var(--dim); }
        .cycle::before { content: "From here on, the steps can repeat:"; display: block; color: var(--open); }
        .items { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.4rem; }
        .items li { background: var(--box); border-radius: 6px; padding: 0.2rem 0.6rem; margin: 0; }
        .items span { font-size: 0.8rem; white-space: nowrap; }
        .graph { display: block; margin: 0 auto; } .edge { text-decoration: none; }
        .edge .line { fill: none; stroke: var(--dim); } .edge .tip, .edge circle { fill: var(--dim); }
        .edge text { font-size: 12px; text-anchor: middle; dominant-baseline: central; fill: var(--link);
          stroke: var(--back); stroke-width: 5px; stroke-linejoin: round; paint-order: stroke; }
        .edge:hover .line, .edge:focus .line, .marked .line { stroke: var(--link); stroke-width: 2px; }
        .marked .tip { fill: var(--link); } .marking .edge:not(.marked) { opacity: 0.2; }
        .large .edge text { visibility: hidden; }
        .large .marked text, .large .edge:hover text, .large .edge:focus text { visibility: visible; }
        .node { display: flex; align-items: center; box-sizing: border-box; height: 100%; padding: 0 0.5rem;
          border: 1px solid var(--dim); border-radius: 8px; background: var(--box); color: var(--text);
          text-decoration: none; font-size: 13px; line-height: 1.3; }
        .node span { width: 100%; max-height: 2.6em; overflow: hidden; text-align: center; overflow-wrap: anywhere; }
        .loading { border-style: dashed; } .node.marked { border: 2px solid var(--link); }
        button { font: 0.875rem system-ui, sans-serif; color: var(--text); background: var(--box); cursor: pointer;
          border: 1px solid var(--line); border-radius: 6px; padding: 0.25rem 0.5rem; }
        .bar { display: flex; flex-wrap: wrap; gap: 0.5rem 0.9rem; align-items: center; margin: 0.6rem 0; }
        .wide:has(.large) { max-height: 85vh; overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
        """
}
