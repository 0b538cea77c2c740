// Derives the colours of a site from the one colour that its owner chose. Whatever that
// is, text is readable: every text colour here has a contrast of at least 4.5 (WCAG AA)
// with its background, in light and in dark mode.

type Rgb = readonly [red: number, green: number, blue: number]

export type Tile = { ground: string; shape: string; ink: string }

export type Palette = {
  ground: string
  surface: string
  line: string
  /** The outline of form fields: visible without a fill, so at least 3. */
  edge: string
  ink: string
  quiet: string
  /** The owner's colour, as near as is readable on ground and surface. */
  accent: string
  onAccent: string
  soft: string
  onSoft: string
  /** What is drawn on the soft ground, behind its text. */
  trace: string
  wrong: string
  tiles: readonly Tile[]
}

export const READABLE = 4.5
const VISIBLE = 3
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const night: Rgb = [20, 22, 26]
const TILES = 6

export function lightPalette(theme: string): Palette {
  const color = rgb(theme)
  const ground = mixed(color, white, 0.045)
  return palette(color, { ground, surface: white, ink: mixed(color, [24, 26, 30], 0.08), toward: black, isDark: false })
}

export function darkPalette(theme: string): Palette {
  const color = rgb(theme)
  const ground = mixed(color, night, 0.05)
  const surface = mixed(color, [33, 36, 41], 0.06)
  return palette(color, { ground, surface, ink: mixed(color, [238, 239, 241], 0.06), toward: white, isDark: true })
}

type Surroundings = { ground: Rgb; surface: Rgb; ink: Rgb; toward: Rgb; isDark: boolean }

function palette(color: Rgb, { ground, surface, ink, toward, isDark }: Surroundings): Palette {
  const soft = mixed(color, surface, isDark ? 0.24 : 0.13)
  const trace = mixed(color, soft, isDark ? 0.12 : 0.1)
  // Darker backgrounds are the hardest for text in light mode, lighter ones in dark mode.
  const most = isDark ? surface : ground
  const accent = readable(color, most, toward)
  return {
    ground: hex(ground),
    surface: hex(surface),
    line: hex(mixed(ink, surface, 0.13)),
    edge: hex(readable(mixed(ink, surface, 0.3), surface, toward, VISIBLE)),
    ink: hex(ink),
    quiet: hex(readable(mixed(ink, ground, 0.62), most, toward)),
    accent: hex(accent),
    onAccent: hex(readable(isDark ? ground : white, accent, isDark ? black : white)),
    soft: hex(soft),
    onSoft: hex(readable(readable(color, soft, toward), trace, toward)),
    trace: hex(trace),
    wrong: hex(readable([200, 30, 40], most, toward)),
    tiles: Array.from({ length: TILES }, (_, index) => tile(color, index, isDark, toward)),
  }
}

// Neighbours of the theme on the circle of hues: different, and still of one family.
const turns = [0, 32, -38, 74, -82, 150]

function tile(color: Rgb, index: number, isDark: boolean, toward: Rgb): Tile {
  const [hue, saturation] = hueOf(color)
  const own = saturation < 0.08 ? 0.12 : Math.min(0.5, Math.max(0.3, saturation))
  const turned = (hue + (turns[index] ?? 0) + 360) % 360
  const ground = fromHue(turned, own * (isDark ? 0.55 : 1), isDark ? 0.24 : 0.87)
  const shape = fromHue(turned, own * (isDark ? 0.6 : 1), isDark ? 0.3 : 0.8)
  // The letter may overlap the shape as well.
  const ink = readable(fromHue(turned, own, isDark ? 0.8 : 0.3), shape, toward)
  return { ground: hex(ground), shape: hex(shape), ink: hex(ink) }
}

/** The colour itself if it is readable on the background, or the nearest on its way to black or white that is. */
function readable(color: Rgb, ground: Rgb, toward: Rgb, least = READABLE): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = rounded(mixed(toward, color, share))
    if (contrastOf(candidate, rounded(ground)) >= least) return candidate
  }
  return toward
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
