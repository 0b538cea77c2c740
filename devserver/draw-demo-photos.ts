// Draws the photos of the demo store into demo-photos/: each a portrait with fur, light, depth and grain, as
// a camera would see it, in Chromium. `node devserver/draw-demo-photos.ts [name …]` after a change of devserver/demo-photos.ts; the files
// are committed, because no other machine needs a browser to show the demo.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { demoPhotos, fileOf, places, type DemoPhoto } from './demo-photos.ts'

const LONG = 1280
const SHORT = 960
const QUALITY = 72

const root = join(import.meta.dirname, '..')
const drawingOf = (portrait: string) =>
  readFileSync(join(root, `server/assets/portraits/${portrait}.svg`), 'utf8').replace(/^<svg[^>]*>|<\/svg>\s*$/g, '')

/** The same numbers every time: a photo that is drawn again does not differ. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

const sceneOf = (photo: DemoPhoto, seed: number, width: number, height: number): string => {
  const { portrait, place, size = 0.98, at = [0.5, 0.58], tilt = 0, isMirrored, hasGrass, coat = [0, 1, 1] } = photo
  const { far, near, light } = places[place]
  const random = randomFrom(seed * 7919 + 13)
  const scale = (size * Math.min(width, height)) / 240
  const [x, y] = [at[0] * width, at[1] * height]
  const spots = Array.from({ length: 30 }, () => {
    const [cx, cy, r] = [random() * width, random() * height * 0.92, (0.03 + random() * 0.1) * width]
    return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${random() > 0.45 ? light : near}" opacity="${0.15 + random() * 0.35}"/>`
  })
  const blades = Array.from({ length: hasGrass ? 46 : 0 }, () => {
    const [foot, tip] = [random() * width, height - 30 - random() * height * 0.16]
    const bend = foot + (random() - 0.5) * 90
    return `<path d="M${foot} ${height + 20} Q${foot + 10} ${tip + 70} ${bend} ${tip}" stroke="${random() > 0.5 ? near : far}" stroke-width="${8 + random() * 12}" fill="none" stroke-linecap="round" opacity=".9"/>`
  })
  const [hue, saturation, lightness] = coat
  const wide = 'x="-20%" y="-20%" width="140%" height="140%"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>
    <linearGradient id="ground" x1="0" y1="0" x2=".3" y2="1"><stop offset=".55" stop-color="${far}"/><stop offset="1" stop-color="${near}"/></linearGradient>
    <radialGradient id="lens" cx=".42" cy=".34" r=".95"><stop offset="0" stop-color="#fff" stop-opacity=".16"/><stop offset=".55" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#1b1408" stop-opacity=".36"/></radialGradient>
    <linearGradient id="sun" x1="0" y1="0" x2="1" y2=".9"><stop offset="0" stop-color="${light}" stop-opacity=".5"/><stop offset=".45" stop-color="${light}" stop-opacity="0"/><stop offset="1" stop-color="#241a10" stop-opacity=".42"/></linearGradient>
    <filter id="behind" ${wide}><feGaussianBlur stdDeviation="24"/></filter>
    <filter id="before" ${wide}><feGaussianBlur stdDeviation="8"/></filter>
    <filter id="shade" ${wide}><feGaussianBlur stdDeviation="34"/></filter>
    <filter id="fur" x="-8%" y="-8%" width="116%" height="116%" color-interpolation-filters="sRGB">
      <feTurbulence type="fractalNoise" baseFrequency=".07 .04" numOctaves="3" seed="${seed}" result="strands"/>
      <feDisplacementMap in="SourceGraphic" in2="strands" scale="12" xChannelSelector="R" yChannelSelector="G" result="ragged"/>
      <feTurbulence type="fractalNoise" baseFrequency=".27 .09" numOctaves="2" seed="${seed + 3}" result="hair"/>
      <feDiffuseLighting in="hair" surfaceScale="1" diffuseConstant="1.17" lighting-color="#fffdf8" result="gloss"><feDistantLight azimuth="240" elevation="60"/></feDiffuseLighting>
      <feComposite in="gloss" in2="ragged" operator="in" result="glossy"/><feBlend in="glossy" in2="ragged" mode="multiply" result="haired"/>
      <feGaussianBlur in="SourceAlpha" stdDeviation="34" result="body"/>
      <feDiffuseLighting in="body" surfaceScale="34" diffuseConstant="1.02" lighting-color="#fff6e8" result="round"><feDistantLight azimuth="232" elevation="52"/></feDiffuseLighting>
      <feComponentTransfer in="round" result="soft"><feFuncR type="linear" slope=".62" intercept=".46"/><feFuncG type="linear" slope=".62" intercept=".45"/><feFuncB type="linear" slope=".62" intercept=".46"/></feComponentTransfer>
      <feComposite in="soft" in2="ragged" operator="in" result="shaped"/><feBlend in="shaped" in2="haired" mode="multiply" result="done"/><feGaussianBlur in="done" stdDeviation="1"/>
    </filter>
    <filter id="grain"><feTurbulence type="fractalNoise" baseFrequency=".7" numOctaves="2" seed="${seed}"/><feColorMatrix values="0 0 0 0 .5 0 0 0 0 .5 0 0 0 0 .5 0 0 0 1.1 -.42"/></filter>
    <g id="animal" transform="translate(${x} ${y}) rotate(${tilt}) scale(${isMirrored ? -scale : scale} ${scale}) translate(-120 -128)">${drawingOf(portrait)}</g>
    <mask id="outline"><g filter="url(#fur)"><use href="#animal" style="filter:brightness(0) invert(1)"/></g></mask></defs>
    <rect width="${width}" height="${height}" fill="url(#ground)"/><g filter="url(#behind)">${spots.join('')}</g>
    <ellipse cx="${x + 40}" cy="${height + 10}" rx="${scale * 125}" ry="${scale * 38}" fill="#1d150b" opacity=".4" filter="url(#shade)"/>
    <g style="filter:hue-rotate(${hue}deg) saturate(${saturation}) brightness(${lightness})"><g filter="url(#fur)"><use href="#animal"/></g></g>
    <rect width="${width}" height="${height}" fill="url(#sun)" mask="url(#outline)" style="mix-blend-mode:soft-light"/>
    <rect width="${width}" height="${height}" fill="url(#sun)" mask="url(#outline)" opacity=".4"/>
    <g filter="url(#before)">${blades.join('')}</g>
    <rect width="${width}" height="${height}" fill="url(#lens)"/><rect width="${width}" height="${height}" filter="url(#grain)" opacity=".1" style="mix-blend-mode:overlay"/></svg>`
}

const only = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage()
let seed = 0
for (const [animal, photos] of Object.entries(demoPhotos)) {
  for (const [index, photo] of photos.entries()) {
    seed += 1
    if (only.length > 0 && !only.includes(animal)) continue
    const [width, height] = photo.isUpright ? [SHORT, LONG] : [LONG, SHORT]
    await page.setViewportSize({ width, height })
    await page.setContent(`<body style="margin:0;overflow:hidden">${sceneOf(photo, seed, width, height)}</body>`)
    const file = fileOf(animal, index)
    const bytes = await page.screenshot({ type: 'jpeg', quality: QUALITY })
    writeFileSync(join(root, 'devserver/demo-photos', file), bytes)
    process.stdout.write(`${file}  ${Math.round(bytes.length / 1000)} kB\n`)
  }
}
await browser.close()
