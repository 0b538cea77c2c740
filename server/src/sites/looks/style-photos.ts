// The rules for photos: the point that stays visible where one is cropped, and the gallery of an animal.

import { centre, FOCAL_CELLS } from '@petstore-platform/contract/platform/photos'

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

export const photoRules = `${focalRules}
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
