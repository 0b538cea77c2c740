// The style sheet of a site: one file, derived from the owner's colour. Its name contains
// a digest of its content, so a browser may cache it permanently. It loads no picture, no
// font and nothing else; the paw on a card is drawn from gradients.

import { hash } from 'node:crypto'
import { darkPalette, lightPalette, type Palette } from './color.ts'

/** `color` without its #. */
export type Style = { css: string; color: string; digest: string }

export function styleOf(themeColor: string): Style {
  const css = squeezed(`:root{color-scheme:light dark;${variables(lightPalette(themeColor))}}
@media (prefers-color-scheme:dark){:root{${variables(darkPalette(themeColor))}}}
${sheet}`)
  return { css, color: themeColor.slice(1), digest: hash('sha256', css, 'hex').slice(0, 16) }
}

function variables({ tiles, ...colors }: Palette): string {
  const own = Object.entries(colors).map(([name, color]) => `--${name}:${color};`)
  const each = tiles.map(
    ({ ground, shape, ink }, index) => `--t${index}:${ground};--s${index}:${shape};--i${index}:${ink};`,
  )
  return [...own, ...each].join('')
}

const squeezed = (css: string) => css.replace(/\n\s*/g, '').replace(/\s*([{};,])\s*/g, '$1')

const sheet = `
*,*::before,*::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere }
h1, h2, h3, h4, h5, .brand, .tile { font-family: ui-rounded, "SF Pro Rounded", "Nunito", "Quicksand", "Segoe UI", system-ui, sans-serif }
h1, h2, h3 { line-height: 1.15; letter-spacing: -.02em; text-wrap: balance; margin: 0 }
h1 { font-size: clamp(2.1rem, 1.4rem + 3.4vw, 3.6rem); font-weight: 800 }
h2 { font-size: clamp(1.4rem, 1.2rem + 1vw, 1.85rem); font-weight: 750 }
h3 { font-size: 1.25rem }
p { margin: 0 0 1em }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .08em }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: .4rem }
.skip { position: absolute; left: 1rem; top: -5rem; z-index: 9; padding: .7rem 1.1rem; background: var(--accent); color: var(--onAccent); border-radius: .8rem }
.skip:focus { top: 1rem }
.wrap { width: 100%; max-width: 72rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2.25rem) }
.top { padding-block: 1rem .25rem; display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.5rem }
.brand { display: inline-flex; align-items: center; gap: .7rem; min-width: 0; color: var(--ink); font-weight: 750; font-size: 1.1rem; line-height: 1.25; text-decoration: none }
.badge { flex: none; display: grid; place-items: center; width: 2.6rem; height: 2.6rem; border-radius: .95rem; background: var(--accent); color: var(--onAccent); font-size: 1.3rem; font-weight: 800 }
.logo { flex: none; width: 2.6rem; height: 2.6rem; border-radius: .95rem; object-fit: cover; background: var(--surface) }
.kinds { flex: 1 1 20rem; min-width: 0 }
.kinds ul { list-style: none; display: flex; flex-wrap: wrap; gap: .45rem; margin: 0; padding: 0 }
.kinds details ul { margin-top: .45rem }
.chip, summary { display: inline-block; min-height: 2.5rem; padding: .45rem 1rem; border-radius: 99rem; background: var(--surface); border: 1px solid var(--line); color: var(--ink); font-size: .95rem; font-weight: 550; line-height: 1.5; text-decoration: none; cursor: pointer }
.chip:hover, summary:hover { border-color: var(--accent) }
.chip[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--onAccent) }
main { flex: 1; padding-block: 1.25rem 3.5rem }
main:focus { outline: 0 }
.hero { position: relative; overflow: hidden; padding: clamp(1.75rem, 5vw, 4rem) clamp(1.4rem, 5vw, 3.75rem); border-radius: clamp(1.5rem, 3vw, 2.25rem); background: var(--soft); color: var(--onSoft) }
.hero > * { position: relative; z-index: 1; max-width: 36rem }
.hero p { margin: .9rem 0 0; font-size: clamp(1.1rem, 1rem + .6vw, 1.35rem); line-height: 1.45 }
.hero::after, .tile::after { content: ""; position: absolute; aspect-ratio: 1; rotate: -20deg;
  background: radial-gradient(ellipse 25% 20% at 50% 66%, var(--paw) 98%, #0000), radial-gradient(ellipse 10% 13.5% at 21% 45%, var(--paw) 97%, #0000), radial-gradient(ellipse 10% 14% at 39.5% 26%, var(--paw) 97%, #0000), radial-gradient(ellipse 10% 14% at 60.5% 26%, var(--paw) 97%, #0000), radial-gradient(ellipse 10% 13.5% at 79% 45%, var(--paw) 97%, #0000) }
.hero::after { --paw: var(--trace); width: clamp(6.5rem, 27vw, 20rem); right: clamp(-4rem, -1vw, -1rem); bottom: clamp(-4.5rem, -6vw, -3rem) }
.list { margin-top: clamp(1.75rem, 4vw, 2.75rem) }
.grid { list-style: none; margin: 1.1rem 0 0; padding: 0; display: grid; gap: clamp(.8rem, 2vw, 1.35rem); grid-template-columns: repeat(auto-fill, minmax(min(9.6rem, 44%), 1fr)) }
.card { display: flex; flex-direction: column; height: 100%; padding: .5rem; border-radius: 1.6rem; background: var(--surface); border: 1px solid var(--line); color: var(--ink); text-decoration: none; transition: translate .18s, box-shadow .18s }
.card:hover { translate: 0 -3px; box-shadow: 0 .9rem 2rem -1rem #0006; border-color: var(--accent) }
.card:focus-visible { border-radius: 1.6rem }
.tile { position: relative; overflow: hidden; display: grid; place-items: center; aspect-ratio: 1; border-radius: 1.2rem; font-weight: 800; font-size: clamp(3.4rem, 9vw, 4.6rem); line-height: 1; user-select: none }
.tile::after { width: 68%; right: -19%; bottom: -19% }
.tile span { position: relative; z-index: 1; translate: -18% -14% }
${tileRules()}
.name { padding: .75rem .6rem 0; font-weight: 700; font-size: 1.08rem; line-height: 1.3; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.kind { padding: .1rem .6rem .45rem; color: var(--quiet); font-size: .92rem; line-height: 1.35; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden }
.card .name:last-child { padding-bottom: .55rem }
.empty { margin: 1.1rem 0 0; padding: 2.5rem 1.5rem; text-align: center; border: 2px dashed var(--line); border-radius: 1.6rem; color: var(--quiet) }
.pages { margin-top: 1.75rem; display: flex; justify-content: space-between; gap: 1rem }
.pages a { min-height: 2.9rem; padding: .6rem 1.35rem; border-radius: 99rem; background: var(--surface); border: 1px solid var(--edge); font-weight: 650; text-decoration: none }
.pages a:hover { border-color: var(--accent) }
.pages a:last-child { margin-inline-start: auto }
.about { margin-top: clamp(2.5rem, 6vw, 4.5rem); max-width: 42rem }
.about h2 { margin-bottom: 1rem }
.about h3, .about h4, .about h5 { margin: 1.6em 0 .5em }
.about li { margin-bottom: .3em }
.back { display: inline-block; margin-bottom: 1rem; padding-block: .35rem; font-weight: 600; text-decoration: none }
.back:hover { text-decoration: underline }
.animal { display: grid; gap: clamp(1.5rem, 4vw, 3.5rem); align-items: start }
.animal > .tile { font-size: clamp(6.5rem, 24vw, 12rem); border-radius: clamp(1.5rem, 3vw, 2.25rem); aspect-ratio: 5/3 }
.animal > .tile::after { width: 48%; right: -8%; bottom: -30% }
.animal h1 { font-size: clamp(2.1rem, 1.5rem + 3vw, 3.2rem) }
.facts { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: .9rem 0 1.5rem }
.state { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.5rem; padding: .45rem 1rem; border-radius: 99rem; background: var(--soft); color: var(--onSoft); font-size: .95rem; font-weight: 650; line-height: 1.5 }
.state::before { content: ""; width: .6rem; height: .6rem; border-radius: 50%; border: 2px solid currentcolor }
.state.available::before { background: currentcolor }
.panel { padding: clamp(1.25rem, 3vw, 2rem); border-radius: 1.75rem; background: var(--surface); border: 1px solid var(--line) }
.panel h2 { font-size: 1.45rem }
.panel > p { margin: .4rem 0 1.25rem; color: var(--quiet) }
.panel > p:last-child { margin-bottom: 0 }
.field { margin-bottom: 1.1rem }
.field label { display: block; margin-bottom: .35rem; font-weight: 650 }
.field small { font-size: .9rem; font-weight: 400; color: var(--quiet) }
input, textarea { width: 100%; min-height: 3.1rem; padding: .7rem .95rem; border: 1.5px solid var(--edge); border-radius: .95rem; background: var(--ground); color: var(--ink); font: inherit; font-size: 1.0625rem }
textarea { min-height: 6.5rem; resize: vertical; display: block }
input:focus-visible, textarea:focus-visible { outline-offset: 1px; border-radius: .95rem }
[aria-invalid] { border-color: var(--wrong) }
.wrong { margin: .4rem 0 0; color: var(--wrong); font-weight: 600; font-size: .97rem }
.notice { margin: 0 0 1.25rem; padding: .9rem 1.1rem; border-radius: 1rem; border: 1.5px solid var(--wrong); color: var(--wrong); font-weight: 600 }
.panel > p.notice { color: var(--wrong) }
.trap { position: absolute; left: -200vw; width: 1px; height: 1px; overflow: hidden }
button, .button { display: inline-block; width: 100%; min-height: 3.3rem; padding: .85rem 1.5rem; border: 0; border-radius: 1.05rem; background: var(--accent); color: var(--onAccent); font: inherit; font-size: 1.08rem; font-weight: 700; line-height: 1.4; text-align: center; text-decoration: none; cursor: pointer }
.button { width: auto }
button:hover, .button:hover { filter: brightness(1.08) }
.fine { margin: .9rem 0 0; color: var(--quiet); font-size: .9rem; line-height: 1.5 }
.word { display: grid; justify-items: center; gap: 1rem; padding-block: clamp(2rem, 8vw, 5.5rem); text-align: center }
.word .tile { width: 9.5rem; font-size: 5rem; border-radius: 2.2rem }
.word p { margin: 0; max-width: 32rem; font-size: 1.15rem }
.word p.quiet { color: var(--quiet); font-size: 1.0625rem }
.word .button { margin-top: .75rem }
footer { border-top: 1px solid var(--line); padding-block: 2rem 2.5rem; font-size: .97rem }
footer h2 { font-size: 1.1rem; margin-bottom: .75rem; letter-spacing: 0 }
footer dl { display: flex; flex-wrap: wrap; gap: .8rem 2.75rem; margin: 0 }
footer dt { color: var(--quiet); font-size: .9rem }
footer dd { margin: 0 }
footer > .wrap > p { margin: 1.25rem 0 0; color: var(--quiet) }
@media (min-width: 56rem) {
  .animal { grid-template-columns: 1.05fr 1fr }
  .animal > .tile::after { width: 64%; right: -17%; bottom: -17% }
  .animal > .tile { position: sticky; top: 1.5rem; aspect-ratio: 1 }
  .grid { grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr)) }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; scroll-behavior: auto !important } }
@media (forced-colors: active) { .card, .chip, .panel, button, .button { border: 1px solid } }
@media print { .kinds, .pages, form, .skip { display: none } }
`

function tileRules(): string {
  return Array.from(
    { length: 6 },
    (_, index) => `.t${index}{background:var(--t${index});color:var(--i${index});--paw:var(--s${index})}`,
  ).join('')
}
