internal import PromisedReports

/// The style of a recording's page, beside that of all pages.
struct ReportStyle {
    static let text = """
        main { max-width: 96rem; }
        .bar label { color: var(--dim); font-size: 0.8rem; display: flex; gap: 0.4rem; align-items: center; }
        input, select { font: 0.875rem system-ui, sans-serif; color: var(--text); background: var(--box);
          border: 1px solid var(--line); border-radius: 6px; padding: 0.25rem 0.5rem; max-width: 16rem; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
        #slider { flex: 1 1 10rem; max-width: none; padding: 0; accent-color: var(--link); }
        #lanes { width: 100%; display: block; cursor: pointer; }
        .columns { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: 1.5rem; }
        #list { height: 34rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px; position: relative; }
        #rows { position: absolute; inset: 26px 0 auto 0; } #rows, #head { min-width: 34rem; }
        #head { position: sticky; top: 0; z-index: 1; background: var(--box); color: var(--dim); }
        #rows > div, #head { display: grid; grid-template-columns: 4.5rem 5rem 5rem minmax(6rem, 1fr) 5rem 5rem;
          height: 26px; line-height: 26px; cursor: pointer; padding: 0 0.5rem; box-sizing: border-box; }
        .watching #rows > div, .watching #head {
          grid-template-columns: 4.5rem 5rem 5rem minmax(6rem, 1fr) 5rem 5rem minmax(6rem, 1fr); }
        #rows span, #head span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.8125rem;
          padding-right: 0.5rem; }
        #rows .hit { box-shadow: inset 4px 0 var(--open); } #rows .bad span { color: var(--bad); }
        #rows [aria-selected=true] { background: var(--link); } #rows [aria-selected=true] span { color: var(--back); }
        #detail { min-width: 0; } #detail h2 { margin-top: 0; } #facts { padding-left: 1.2rem; }
        #states details, #states div div { padding-left: 1rem; }
        #states summary { margin-left: -1rem; cursor: pointer; }
        #states > div { padding: 0; } #states .changed code { color: var(--good); font-weight: 600; }
        #states button { padding: 0 0.35rem; font-size: 0.7rem; opacity: 0.55; }
        #states button:hover, #states button:focus { opacity: 1; }
        #detail code, #detail pre, #rows span, h1 { unicode-bidi: isolate; }
        #said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        @media (max-width: 50rem) { .columns { grid-template-columns: minmax(0, 1fr); } #list { height: 16rem; } }
        @media (prefers-reduced-motion: no-preference) { button, #rows > div { transition: background 0.1s; } }
        """

    static let style = Page.Part(text: text, hash: "e1Tr7shxL0tibq52LwDLO4XV1ZmcyX2w9zW21+hMorE=")
    static let script = Page.Part(
        text: ReportScript.text, hash: "hi0NbX5eBgnIxoRnwd/thqIEL0Oe5IiYSzDpH2nhAWg=")
}
