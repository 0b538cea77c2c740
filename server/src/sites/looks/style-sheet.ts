// The rules that both looks share. A look sets the variables: --r (corners of pictures and panels), --rs (of fields),
// --rb (of buttons), --head, --hw and --track (typeface, weight and spacing of headings). Where a browser can, the bar
// with the way to the form stands back while the form is in view.

import { centre, FOCAL_CELLS } from '@petstore-platform/contract/platform/photos'

// The rules for photos: the point that stays visible where one is cropped, and the gallery of an animal.

/** A cell shows its side of the photo: the first one the left or upper edge, the last one the right or lower edge. */
const focalRules = Array.from({ length: FOCAL_CELLS }, (_, cell) => cell)
  .filter((cell) => cell !== centre.x)
  .map((cell) => `.fx${cell}{--x:${cell * 25}%}.fy${cell}{--y:${cell * 25}%}`)
  .join('')

/** So many thumbnails, a row of them, are marked while their photo is in view, where a browser can. */
const MARKED = 5
const numbers = Array.from({ length: MARKED }, (_, index) => index + 1)

const markRules = `
.big { timeline-scope: ${numbers.map((number) => `--p${number}`).join(',')} }
.thumbs li { animation: here linear both }
@keyframes here { 30%, 70% { outline-color: #0000 } 31%, 69% { outline-color: var(--accent) } }
${numbers.map((number) => `#p${number}{view-timeline:--p${number} x}.thumbs>:nth-child(${number}){animation-timeline:--p${number}}`).join('')}`

const photoRules = `${focalRules}
.ph { object-fit: cover; object-position: var(--x, 50%) var(--y, 50%); background: var(--line) }
.reel { display: flex; overflow-x: auto; scroll-snap-type: x mandatory; scrollbar-width: none; border-radius: calc(var(--r) * 1.3) }
.reel a { flex: none; width: 100%; cursor: zoom-in; outline-offset: -6px }
.reel img { aspect-ratio: 1; scroll-snap-align: start; scroll-margin-top: 9rem; border-radius: 0 }
.wide img { aspect-ratio: 4/3 }
.tall img { aspect-ratio: 4/5 }
.thumbs { display: grid; grid-template-columns: repeat(5, 1fr); gap: .6rem; margin-top: .6rem }
.thumbs :is(li, img) { aspect-ratio: 1; border-radius: var(--rs); outline: 3px solid #0000 }
@supports (animation-timeline: view()) {${markRules}
}
`

const grounds = Array.from({ length: 6 }, (_, index) => `.t${index}{--g:var(--t${index});--s:var(--s${index})}`).join(
  '',
)

export const sheet = `
*,*::before,*::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.6 Figtree, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere }
h1, h2, h3 { font-family: var(--head); font-weight: var(--hw); letter-spacing: var(--track); line-height: 1.15; margin: 0; text-wrap: balance }
h1 { font-size: clamp(2.35rem, 1.5rem + 3.6vw, 4rem); line-height: 1.06 }
h2 { font-size: clamp(1.55rem, 1.3rem + 1.2vw, 2.15rem) }
h3 { font-size: 1.3rem }
h4, h5 { margin: 0; font-size: 1.1rem }
p { margin: 0 0 1em }
ul { list-style: none; margin: 0; padding: 0 }
img { display: block; max-width: 100%; height: auto }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .08em }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: .3rem }
.skip { position: absolute; left: 1rem; top: -5rem; z-index: 9; padding: .7rem 1.1rem; background: var(--accent); color: var(--onAccent) }
.skip:focus { top: 1rem }
.wrap { width: 100%; max-width: 75rem; margin-inline: auto; padding-inline: clamp(1.1rem, 4vw, 2.25rem) }
.i { width: 1.15em; height: 1.15em; flex: none; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
${grounds}
[class^=t][src] { background: radial-gradient(circle at 50% 58%, var(--s) 0 39%, #0000 39.5%) var(--g); object-fit: contain; object-position: bottom }

.top { display: flex; align-items: center; gap: 1.5rem; padding-block: 1rem 1.25rem }
.brand { display: flex; align-items: center; gap: .7rem; min-width: 0; min-height: 2.75rem; color: inherit; font-family: var(--head); font-weight: var(--hw); font-size: 1.15rem; line-height: 1.15; letter-spacing: -.015em; text-decoration: none }
.badge, .logo { flex: none; display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: var(--rb); object-fit: cover }
.badge { background: var(--accent); color: var(--onAccent); font-size: 1.3rem }
.logo { background: var(--surface) }
.top nav { display: flex; align-items: center; gap: 1.6rem; margin-inline-start: auto; white-space: nowrap }
.top nav a { font-weight: 550; text-decoration: none }
.top nav a:not(.btn) { color: inherit; padding-block: .55rem }
.top nav a:hover { color: var(--accent) }
.btn { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 2.9rem; padding: .4rem 1.35rem; border-radius: var(--rb); border: 1.5px solid var(--line); background: var(--surface); color: var(--ink); font: inherit; font-weight: 620; line-height: 1.3; text-decoration: none; cursor: pointer }
.btn:hover { border-color: var(--accent) }
.btn.main { background: var(--accent); border-color: var(--accent); color: var(--onAccent) }
.btn.main:hover { box-shadow: inset 0 0 0 99rem #00000014 }
.acts { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1.7rem 0 0 }

main { flex: 1; padding-bottom: clamp(2.5rem, 6vw, 4.5rem) }
main:has(> .band:last-child) { padding-bottom: 0 }
main:focus { outline: 0 }
.hero { display: grid; grid-template-columns: 1.05fr 1fr; align-items: center; gap: clamp(1rem, 4vw, 3rem); padding: clamp(1.4rem, 4vw, 3.5rem) clamp(1.25rem, 4vw, 3.75rem) }
.hero > :only-child { grid-column: 1/-1; max-width: 46rem }
.over { margin: 0 0 .7rem; font-weight: 600 }
.over a { display: inline-block; text-decoration: none }
.over a:hover { text-decoration: underline }
.lead { margin: 1.1rem 0 0; font-size: 1.22rem; line-height: 1.5; max-width: 31rem }
.pics { display: grid; grid-template-columns: 1.9fr 1fr; gap: .9rem }
.pics img { width: 100%; height: 100%; aspect-ratio: 1; border-radius: var(--r) }
.n3 img:first-child { grid-row: span 2; height: 0; min-height: 100%; aspect-ratio: auto }
.n1 { grid-template-columns: minmax(0, 22rem); justify-content: center }
.n2 { grid-template-columns: 1fr 1fr }

.list { margin-top: clamp(2.4rem, 5vw, 4.25rem); scroll-margin-top: 1rem }
.first { margin-top: clamp(1rem, 3vw, 2rem) }
.line { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1rem; margin-bottom: 1.1rem }
.line span { color: var(--quiet) }
.kinds ul { display: flex; flex-wrap: wrap; gap: .5rem }
.kinds details, .kinds details ul { margin-top: .5rem }
.chip { display: inline-flex; align-items: center; gap: .45rem; min-height: 2.75rem; padding: .3rem 1.1rem; border-radius: var(--rb); border: 1.5px solid var(--line); background: var(--surface); color: inherit; font-weight: 580; text-decoration: none; white-space: nowrap; cursor: pointer }
.chip:hover { border-color: var(--accent) }
.chip small { color: var(--quiet); font-size: .85em }
.chip[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--onAccent) }
.chip[aria-current] small { color: inherit }
summary { list-style: none }
summary::-webkit-details-marker { display: none }
summary::after { content: ""; width: .45rem; height: .45rem; border: solid currentcolor; border-width: 0 2px 2px 0; rotate: 45deg; translate: 0 -.12rem }
[open] > summary::after { rotate: 225deg; translate: 0 .12rem }
.grid { display: grid; gap: clamp(1.1rem, 2.4vw, 1.75rem) clamp(.9rem, 2vw, 1.5rem); grid-template-columns: repeat(auto-fill, minmax(min(15.5rem, 44%), 1fr)); margin-top: 1.5rem }
.card { position: relative; display: grid; color: inherit; line-height: 1.4; text-decoration: none }
.card:focus-visible { border-radius: var(--r) }
.card img { width: 100%; aspect-ratio: 1; border-radius: var(--r); margin-bottom: .75rem; transition: translate .2s, box-shadow .2s }
.card:hover img { translate: 0 -3px; box-shadow: 0 1.2rem 2rem -1.2rem #0007 }
.card b, .card span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.card b { font-family: var(--head); font-weight: var(--hw); font-size: 1.3rem; line-height: 1.25; letter-spacing: -.015em }
.card span { color: var(--quiet); font-size: .98rem }
.card em { position: absolute; top: .8rem; left: .8rem; padding: .15rem .75rem; border-radius: var(--rb); background: var(--surface); font-style: normal; font-size: .88rem; font-weight: 620 }
.more { margin: 2rem 0 0; text-align: center }
.find { margin-inline-start: auto; font-weight: 600 }
.sift { margin-top: .6rem }
.chosen { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin-top: .8rem }
.chosen .chip { background: var(--soft); color: var(--onSoft); border-color: #0000 }
.chosen .i { width: .9em }
.all { display: inline-block; padding: .6rem .4rem; font-weight: 600 }
.sift .panel { margin-top: .7rem }
.fields { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 44%), 1fr)) }
fieldset { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; margin: 0; padding: 0; border: 0 }
legend { padding: 0; font-weight: 620 }
.tick { display: flex; align-items: center; gap: .6rem; min-height: 2.75rem; cursor: pointer }
.tick input { width: 1.35rem; min-height: 0; height: 1.35rem; margin: 0; accent-color: var(--accent) }
.panel > .acts { margin: 0 }
.pages { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2rem }
.pages a:last-child { margin-inline-start: auto }
.empty { display: grid; justify-items: center; gap: 1.2rem; margin-top: 1.5rem; padding: 2.5rem 1.25rem; text-align: center; background: var(--surface); border-radius: var(--r) }
.empty img { width: min(22rem, 100%) }
.empty p { margin: 0; max-width: 30rem; font-size: 1.15rem }
.band { margin-top: clamp(2.5rem, 6vw, 4.5rem); padding-block: clamp(2.2rem, 5vw, 4rem); background: var(--soft); color: var(--onSoft); scroll-margin-top: 0 }
.band > .wrap { display: grid; grid-template-columns: 1fr 2fr; gap: clamp(1rem, 4vw, 3rem) }
.prose { max-width: 44rem; color: var(--ink) }
.prose > :first-child { margin-top: 0 }
.prose > :last-child { margin-bottom: 0 }
.prose :is(h3, h4, h5) { margin: 1.6em 0 .5em; color: var(--onSoft) }
.prose a { color: inherit }
.prose ul { margin: 0 0 1em; padding-inline-start: 1.2em; list-style: disc }
.prose ul ::marker { color: var(--onSoft) }
.prose li { margin-bottom: .3em }

.back { display: inline-flex; align-items: center; gap: .45rem; min-height: 2.75rem; margin-bottom: .4rem; font-weight: 600; text-decoration: none }
.back:hover { text-decoration: underline }
.animal { display: grid; grid-template-columns: 1.1fr 1fr; gap: clamp(1.5rem, 4vw, 3.5rem); align-items: start }
.big { position: sticky; top: 1.25rem }
.big img { width: 100%; border-radius: calc(var(--r) * 1.3) }
${photoRules}.side .over { margin-bottom: .35rem }
.words { min-width: 0 }
.words h2 { margin-bottom: 1rem }
.words .prose :is(h3, h4, h5) { color: inherit }
.words > .panel { max-width: 44rem }
.asked .panel { margin-top: 0 }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .9rem 1.2rem; margin: 1.5rem 0 0; padding-block: 1.2rem; border-block: 1px solid var(--line) }
dt, .label { color: var(--quiet); font: inherit; font-size: .92rem; letter-spacing: 0 }
dd { margin: 0; font-weight: 620 }
.label { margin: 1.1rem 0 .3rem }
.ticks { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; font-weight: 580 }
.ticks li::before { content: "✓" / ""; margin-inline-end: .45rem; color: var(--accent); font-weight: 800 }
.ticks .no { color: var(--quiet) }
.ticks .no::before { content: "✕" / ""; color: inherit }
.ticks + .quiet { margin: .3rem 0 0 }
.quiet { color: var(--quiet) }
.side .acts { align-items: center; gap: .8rem 1.4rem }
.share { margin: 0; color: var(--quiet); font-size: .97rem }
.share a { display: inline-block; margin-inline-start: .5rem; padding-block: .2rem }
.traits { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1.3rem }
.traits li { padding: .2rem .9rem; border-radius: var(--rb); background: var(--soft); color: var(--onSoft); font-size: .97rem; font-weight: 580 }
.needs { margin-top: 1.5rem; padding: 1.1rem 1.3rem; border-radius: var(--rs); background: var(--warm); color: var(--onWarm) }
.needs p { margin: .4rem 0 0; white-space: pre-line }
.state { display: inline-flex; align-items: center; gap: .55rem; margin: 1rem 0 0; padding: .4rem 1rem; border-radius: var(--rs); background: var(--warm); color: var(--onWarm); font-weight: 600; font-size: .98rem }
.state::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: currentcolor }
.panel { display: grid; gap: 1.05rem; margin-top: 1.5rem; padding: clamp(1.25rem, 3vw, 2rem); border-radius: var(--r); background: var(--surface); border: 1px solid var(--line); scroll-margin-top: 1rem }
.panel h2 { font-size: 1.65rem }
.panel p { margin: 0 }
.panel > p { color: var(--quiet) }
.field label { font-weight: 620 }
.field small { margin-inline-start: .35rem; font-size: .92rem; font-weight: 400; color: var(--quiet) }
input, textarea, select { display: block; width: 100%; min-height: 3.1rem; margin-top: .35rem; padding: .7rem .95rem; border: 1.5px solid var(--edge); border-radius: var(--rs); background: var(--ground); color: inherit; font: inherit }
select { appearance: none; padding-inline-end: 2.4rem; text-overflow: ellipsis; background: linear-gradient(45deg, #0000 50%, currentcolor 50% 60%, #0000 60%) right 1.25rem center/.5rem .5rem no-repeat, linear-gradient(-45deg, #0000 50%, currentcolor 50% 60%, #0000 60%) right .9rem center/.5rem .5rem no-repeat, var(--ground) }
textarea { min-height: 7rem; resize: vertical }
input:focus-visible, textarea:focus-visible, select:focus-visible { outline-offset: 1px; border-radius: var(--rs) }
[aria-invalid] { border-color: var(--wrong) }
.panel .wrong { margin-top: .4rem; color: var(--wrong); font-weight: 600; font-size: .97rem }
.notice, .panel > .notice { margin: 1rem 0 0; padding: .9rem 1.1rem; border-radius: var(--rs); border: 1.5px solid var(--wrong); color: var(--wrong); font-weight: 600 }
.panel > .notice { margin: 0 }
.trap { position: absolute; left: -200vw; width: 1px; height: 1px; overflow: hidden }
.panel .fine { font-size: .92rem; line-height: 1.5 }
.stick { display: none }
.word { display: grid; justify-items: center; gap: 1rem; padding-block: clamp(1.5rem, 6vw, 4.5rem); text-align: center }
.word > img { width: min(24rem, 100%) }
.round img { width: 11rem; border-radius: var(--rb) }
.word h1 { font-size: clamp(2.1rem, 1.5rem + 2.6vw, 3.2rem) }
.word p { margin: 0; max-width: 32rem; font-size: 1.15rem }
.word .quiet { font-size: 1.0625rem }
.word .btn { margin-top: .75rem }

footer { padding-block: 2.2rem; border-top: 1px solid var(--line); background: var(--surface) }
.foot { display: flex; flex-wrap: wrap; gap: 1.5rem 5rem }
.foot p { margin: .3rem 0 0; color: var(--quiet) }
.foot a { display: inline-block }

@media (max-width: 52rem) {
  html { scroll-padding-bottom: 5.5rem }
  .top, .top nav { flex-wrap: wrap; gap: .7rem 1.5rem; margin: 0 }
  .hero, .animal, .band > .wrap { grid-template-columns: minmax(0, 1fr) }
  .pics { order: -1 }
  .n1 { grid-template-columns: minmax(0, 15rem) }
  .kinds > ul { flex-wrap: nowrap; overflow-x: auto; margin-inline: -1.1rem; padding: .3rem 1.1rem; scrollbar-width: none }
  .card b { font-size: 1.15rem }
  .card span { font-size: .95rem }
  .find { margin: 0 }
  .big { position: static }
  .big > img { aspect-ratio: 1.08 }
  .stick { position: sticky; bottom: 0; z-index: 5; display: flex; align-items: center; gap: .8rem; padding: .6rem 1.1rem; background: var(--surface); border-top: 1px solid var(--line); text-decoration: none }
  .stick img { width: 2.9rem; border-radius: var(--rs) }
  .stick .btn { flex: 1 }
  .side .acts > .btn { display: none }
  main:has(.stick) { padding-bottom: 0 }
  .stick { margin-top: clamp(2rem, 6vw, 4rem) }
  .foot > div { flex: 1 1 100% }
}
@supports (animation-timeline: view()) {
  main { timeline-scope: --ask }
  form { view-timeline: --ask }
  .stick { animation: stand-back linear both; animation-timeline: --ask }
}
@keyframes stand-back { from, to { visibility: visible } 4%, 96% { visibility: hidden } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; scroll-behavior: auto !important } }
@media (forced-colors: active) { .card img, .chip, .panel, .btn { border: 1px solid } .chip[aria-current] { outline: 2px solid } }
@media print {
  :root { color-scheme: light }
  .top nav, .kinds, .pages, .acts, form.panel, .skip, .stick, .back, .btn { display: none }
  .card, .animal { break-inside: avoid }
  .big { position: static }
}
`
