// The two looks. Meadow is round and soft, in Figtree; Journal is square, set in Young Serif on paper, like a magazine.

export const meadowRules = `
:root { --r: 1.5rem; --rs: .9rem; --rb: 99rem; --head: Figtree, ui-rounded, "SF Pro Rounded", system-ui, "Segoe UI", Roboto, sans-serif; --hw: 760; --track: -.03em }
.skip { border-radius: var(--rs) }
.hero { border-radius: calc(var(--r) * 1.4); background: var(--soft); color: var(--onSoft) }
.hero .btn:not(.main) { border-color: var(--surface) }
.hero .btn:not(.main):hover { border-color: var(--accent) }
@media (prefers-color-scheme: light) { .pics [class^=t] { background: radial-gradient(circle at 50% 58%, var(--g) 0 43%, #0000 43.4%) var(--surface) } }
.pics img:first-child { border-radius: 14rem 14rem var(--r) var(--r) }
.n3 img:nth-child(2) { border-radius: 50% }
@media (max-width: 52rem) { .pics img:first-child { border-radius: 9rem 9rem var(--r) var(--r) } }
`

export const journalRules = `
:root { --r: 0rem; --rs: 0; --rb: .2rem; --head: "Young Serif", Georgia, "Times New Roman", serif; --hw: 400; --track: -.015em }
.hero { padding: 0 0 clamp(1.5rem, 4vw, 3rem); border-bottom: 1px solid var(--ink); gap: clamp(1.5rem, 4vw, 4rem) }
.over { color: var(--accent); text-transform: uppercase; letter-spacing: .12em; font-size: .8rem }
.over a { color: inherit }
.pics { grid-template-columns: 2fr 1fr; gap: .5rem }
.kinds > ul { gap: 0 1.6rem; border-bottom: 1px solid var(--line) }
.chip { border: 0; border-bottom: 3px solid transparent; border-radius: 0; background: none; padding-inline: 0 }
.chip[aria-current] { background: none; color: var(--accent) }
.card img { aspect-ratio: 4/5 }
.band { border-top: 1px solid var(--ink); background: var(--surface) }
.round img { border-radius: 50% }
`
