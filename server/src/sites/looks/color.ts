// Derives the colours of a site from its look and the one colour that its owner chose. Whatever that is, text is
// readable: `pairsOf` lists every text with each of its grounds, and each pair has a contrast of at least 4.5 (WCAG
// AA), in light and in dark mode; outlines and filled controls have at least 3 with what is around them.

import type { Look } from '@petstore-platform/contract/platform/site'

type Rgb = readonly [red: number, green: number, blue: number]

/** The ground of a portrait, and the shape behind its head. No text is on it. */
export type Tile = { ground: string; shape: string }

export type Palette = {
  ground: string
  surface: string
  soft: string
  onSoft: string
  ink: string
  quiet: string
  line: string
  /** The outline of form fields, visible without a fill. */
  edge: string
  /** The owner's colour, as near as is readable on ground and surface. */
  accent: string
  onAccent: string
  /** For what is no longer free: a notice that is not an error. */
  warm: string
  onWarm: string
  wrong: string
  tiles: readonly Tile[]
}

export type Scheme = 'light' | 'dark'

export const READABLE = 4.5
export const VISIBLE = 3
/** Headings on the soft ground are close to ink. */
const STRONG = 8
/** In the dark the owner's colour shines. */
const BRIGHT = 6.5
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]

/** What a look is made of before the owner's colour is mixed in. */
type Surroundings = {
  ground: Rgb
  surface: Rgb
  soft: Rgb
  ink: Rgb
  /** How strong line, quiet text and outline are, between surface and ink. */
  line: number
  quiet: number
  warm: string
  onWarm: string
}

const surroundings: Readonly<Record<Look, Readonly<Record<Scheme, (color: Rgb) => Surroundings>>>> = {
  // Everything has a breath of the owner's colour.
  meadow: {
    light: (color) => ({
      ground: breath(color, 0.26, 0.972),
      surface: white,
      soft: breath(color, 0.58, 0.91),
      ink: mixed(color, [22, 27, 25], 0.1),
      line: 0.11,
      quiet: 0.72,
      warm: '#ffe3c2',
      onWarm: '#6d3700',
    }),
    dark: (color) => ({
      ground: breath(color, 0.16, 0.075),
      surface: breath(color, 0.14, 0.115),
      soft: breath(color, 0.34, 0.16),
      ink: mixed(color, [240, 243, 241], 0.05),
      line: 0.14,
      quiet: 0.68,
      warm: '#4a3118',
      onWarm: '#ffd6ac',
    }),
  },
  // Paper and ink are those of a magazine; the owner's colour is the second ink.
  journal: {
    light: () => ({
      ground: [251, 246, 238],
      surface: [255, 253, 249],
      soft: [241, 229, 212],
      ink: [42, 32, 26],
      line: 0.14,
      quiet: 0.74,
      warm: '#e9dcc0',
      onWarm: '#5b3f0b',
    }),
    dark: () => ({
      ground: [23, 19, 15],
      surface: [32, 27, 22],
      soft: [43, 35, 27],
      ink: [245, 237, 227],
      line: 0.14,
      quiet: 0.68,
      warm: '#3c3222',
      onWarm: '#f3dcae',
    }),
  },
}

/** The owner's hue, pale or dark; a grey stays a grey. */
const breath = (color: Rgb, strength: number, lightness: number): Rgb => {
  const [hue, saturation] = hueOf(color)
  return fromHue(hue, Math.min(1, saturation * 2) * strength, lightness)
}

export function paletteOf(theme: string, look: Look, scheme: Scheme): Palette {
  const color = rgb(theme)
  const isDark = scheme === 'dark'
  const toward = isDark ? white : black
  const { ground, surface, soft, ink, line, quiet, warm, onWarm } = surroundings[look][scheme](color)
  const papers = [ground, surface]
  // A filled button may be on the soft ground as well.
  const accent = isDark ? lifted(color, [...papers, soft], BRIGHT) : readable(color, papers, black)
  const heading = isDark ? lifted(color, [soft], STRONG) : readable(color, [soft], black, STRONG)
  return {
    ground: hex(ground),
    surface: hex(surface),
    soft: hex(soft),
    onSoft: hex(look === 'meadow' ? heading : ink),
    ink: hex(ink),
    quiet: hex(readable(mixed(ink, ground, quiet), papers, toward)),
    line: hex(mixed(ink, surface, line)),
    edge: hex(readable(mixed(ink, surface, 0.45), papers, toward, VISIBLE)),
    accent: hex(isDark ? accent : readable(accent, [soft], black, VISIBLE)),
    onAccent: hex(isDark ? readable(mixed(color, black, 0.3), [accent], black) : readable(white, [accent], white)),
    warm,
    onWarm,
    wrong: hex(readable(isDark ? [255, 140, 130] : [190, 30, 36], papers, toward)),
    tiles: turns.map((turn) => tile(color, turn, look, isDark)),
  }
}

/** Every text and outline of a page with each ground that it is on, and the contrast that it needs. */
export const pairsOf = (palette: Palette): readonly (readonly [ink: string, ground: string, least: number])[] => {
  const { ground, surface, soft, ink, quiet, edge, accent, wrong } = palette
  return [
    ...[ink, quiet, accent, wrong].flatMap((text) => [ground, surface].map((on) => [text, on, READABLE] as const)),
    [palette.onSoft, soft, READABLE],
    [ink, soft, READABLE],
    [palette.onAccent, accent, READABLE],
    [palette.onWarm, palette.warm, READABLE],
    ...[ground, surface].map((on) => [edge, on, VISIBLE] as const),
    // Buttons and the outline of the focus.
    ...[ground, surface, soft].map((on) => [accent, on, VISIBLE] as const),
  ]
}

// Neighbours of the theme on the circle of hues, and warm ones that suit every coat.
const turns = [0, 'apricot', 40, 'rose', -45, 'honey'] as const
const warmHues = { apricot: 28, rose: 352, honey: 44 }

function tile(color: Rgb, turn: (typeof turns)[number], look: Look, isDark: boolean): Tile {
  const [hue, saturation] = hueOf(color)
  const own = saturation < 0.08 ? 0.1 : Math.min(0.5, Math.max(0.34, saturation))
  const [turned, strength] =
    typeof turn === 'number' ? [(hue + turn + 360) % 360, own] : [warmHues[turn], saturation < 0.08 ? 0.3 : 0.62]
  const muted = strength * (look === 'journal' ? 0.62 : 1) * (isDark ? 0.5 : 1)
  const [ground, shape] = isDark ? [0.29, 0.35] : look === 'journal' ? [0.87, 0.91] : [0.9, 0.94]
  return { ground: hex(fromHue(turned, muted, ground)), shape: hex(fromHue(turned, muted, shape)) }
}

/** The colour itself if it is readable on all grounds, or the nearest on its way to black or white that is. */
function readable(color: Rgb, grounds: readonly Rgb[], toward: Rgb, least = READABLE): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = rounded(mixed(toward, color, share))
    if (grounds.every((ground) => contrastOf(candidate, rounded(ground)) >= least)) return candidate
  }
  return toward
}

/** The hue of the colour, as light as it has to be: on its way to white it would turn grey. */
function lifted(color: Rgb, grounds: readonly Rgb[], least: number): Rgb {
  const [hue, saturation] = hueOf(color)
  const own = Math.min(saturation, 0.54)
  for (let lightness = 0.5; lightness < 1; lightness += 0.01) {
    const candidate = rounded(fromHue(hue, own, lightness))
    if (grounds.every((ground) => contrastOf(candidate, rounded(ground)) >= least)) return candidate
  }
  return white
}

/** From 1 to 21, as WCAG 2 defines it. */
export const contrast = (one: string, other: string): number => contrastOf(rgb(one), rgb(other))

function contrastOf(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const rgb = (text: string): Rgb => {
  const value = Number.parseInt(text.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const rounded = ([red, green, blue]: Rgb): Rgb => [Math.round(red), Math.round(green), Math.round(blue)]

const hex = (color: Rgb) =>
  `#${rounded(color)
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')}`

/** `share` of the first colour in the second. */
const mixed = (one: Rgb, other: Rgb, share: number): Rgb => [
  one[0] * share + other[0] * (1 - share),
  one[1] * share + other[1] * (1 - share),
  one[2] * share + other[2] * (1 - share),
]

function hueOf(color: Rgb): [hue: number, saturation: number] {
  const [red, green, blue] = color.map((part) => part / 255) as unknown as Rgb
  const high = Math.max(red, green, blue)
  const low = Math.min(red, green, blue)
  const span = high - low
  if (span === 0) return [0, 0]
  const sector =
    high === red ? ((green - blue) / span + 6) % 6 : high === green ? (blue - red) / span + 2 : (red - green) / span + 4
  return [sector * 60, span / (1 - Math.abs(high + low - 1))]
}

function fromHue(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (offset: number) => {
    const at = (offset + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return [part(0), part(8), part(4)]
}
