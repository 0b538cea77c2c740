// The style sheet of a site: one file, derived from its look and the owner's colour. Its name contains a digest of its
// content, so a browser may cache it permanently. It loads typefaces of the site's own origin, and nothing else. They
// are optional: a page whose typeface comes late keeps the one of the device, so text never moves.

import { hash } from 'node:crypto'
import type { Look } from '@petstore-platform/contract/platform/site'
import { paletteOf, type Palette } from './color.ts'
import { hrefOfFile, type SiteFile } from '../pages/site-files.ts'
import { sheet } from './style-sheet.ts'

// The two looks. Meadow is round and soft, in Figtree; Journal is square, set in Young Serif on paper, like a magazine.

const meadowRules = `
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

const journalRules = `
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

/** `color` without its #. */
export type Style = { css: string; look: Look; color: string; digest: string }

export function styleOf(themeColor: string, look: Look): Style {
  const css = squeezed(`${fonts(look)}
:root{color-scheme:light dark;${variables(paletteOf(themeColor, look, 'light'))}}
@media screen and (prefers-color-scheme:dark){:root{${variables(paletteOf(themeColor, look, 'dark'))}}}
${sheet}${rulesOf[look]}`)
  return { css, look, color: themeColor.slice(1), digest: hash('sha256', css, 'hex').slice(0, 16) }
}

const rulesOf: Readonly<Record<Look, string>> = { meadow: meadowRules, journal: journalRules }

/** The typefaces that every page of a look needs. */
export const firstFontsOf = (look: Look): readonly SiteFile[] =>
  look === 'journal' ? ['fonts/young-serif-latin.woff2', 'fonts/figtree-latin.woff2'] : ['fonts/figtree-latin.woff2']

const latin =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+FEFF,U+FFFD'
const latinExtended = 'U+0100-02BA,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2C60-2C7F,U+A720-A7FF'

function fonts(look: Look): string {
  const face = (family: string, file: SiteFile, range: string, weights: string) =>
    `@font-face{font-family:${family};${weights}font-display:optional;src:url(${hrefOfFile(file)}) format("woff2");unicode-range:${range}}`
  const figtree = [
    face('Figtree', 'fonts/figtree-latin.woff2', latin, 'font-weight:300 900;'),
    // Loaded only if a page has such letters.
    face('Figtree', 'fonts/figtree-latin-ext.woff2', latinExtended, 'font-weight:300 900;'),
  ]
  return [
    ...figtree,
    ...(look === 'journal' ? [face('Young Serif', 'fonts/young-serif-latin.woff2', latin, '')] : []),
  ].join('')
}

function variables({ tiles, ...colors }: Palette): string {
  const own = Object.entries(colors).map(([name, color]) => `--${name}:${color};`)
  const each = tiles.map(({ ground, shape }, index) => `--t${index}:${ground};--s${index}:${shape};`)
  return [...own, ...each].join('')
}

const squeezed = (css: string) =>
  css
    .replace(/\n\s*/g, '')
    .replace(/\s*([{};,])\s*/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(' > ', '>')
