// The design tokens of the dashboard: colour scales in OKLCH, the named colours of the light and the dark scheme, and
// every pair of them that carries text or an outline, with the contrast that WCAG 2.2 requires of it. Pure.

import { contrast, READABLE, VISIBLE } from '../server/src/sites/looks/color.ts'

type Rgb = readonly [red: number, green: number, blue: number]
type InBothSchemes = readonly [light: string, dark: string]

export type Tokens = Readonly<Record<string, InBothSchemes>>
export type Pair = { ink: string; on: string; scheme: 'light' | 'dark'; contrast: number; least: number }

const steps = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950] as const
type Scale = Readonly<Record<(typeof steps)[number], string>>

const lightness = [0.977, 0.948, 0.9, 0.835, 0.75, 0.655, 0.56, 0.475, 0.4, 0.325, 0.245]
const strength = [0.16, 0.34, 0.55, 0.8, 1, 1, 1, 0.92, 0.8, 0.62, 0.45]
const sandLightness = [0.985, 0.968, 0.935, 0.885, 0.77, 0.63, 0.515, 0.435, 0.345, 0.265, 0.205]

const scaleOf = (color: (index: number) => string): Scale =>
  Object.fromEntries(steps.map((step, index) => [step, color(index)])) as Scale

/** `tilt` turns the hue from step to step, as pigments do. */
const scale = (hue: number, chroma: number, tilt = 0): Scale =>
  scaleOf((index) => oklch(lightness[index] ?? 0, chroma * (strength[index] ?? 0), hue + tilt * (index - 5)))

/** The brand. */
const fern = scale(166, 0.118)
/** Warmth: counts, the heart in the mark, the second line of charts. Never text. */
const apricot = scale(62, 0.15, -1.6)
/** Warm where it is light, and cool where it is dark. */
const sand = scaleOf((index) => oklch(sandLightness[index] ?? 0, index < 5 ? 0.0075 : 0.011, index < 5 ? 90 : 160))

export const tokens: Tokens = {
  ground: [sand[50], oklch(0.195, 0.009, 165)],
  paper: ['#ffffff', oklch(0.232, 0.011, 165)],
  sunken: [sand[100], oklch(0.17, 0.009, 165)],
  raised: ['#ffffff', oklch(0.272, 0.012, 165)],
  line: [sand[200], oklch(0.335, 0.013, 165)],
  'line-strong': [oklch(0.62, 0.012, 150), oklch(0.56, 0.015, 165)],
  ink: [oklch(0.255, 0.018, 165), oklch(0.955, 0.006, 120)],
  quiet: [oklch(0.475, 0.017, 160), oklch(0.765, 0.014, 150)],
  faint: [oklch(0.535, 0.015, 160), oklch(0.68, 0.014, 150)],
  brand: [fern[700], fern[400]],
  'brand-hover': [fern[800], fern[300]],
  'on-brand': ['#ffffff', oklch(0.21, 0.04, 166)],
  'brand-ink': [fern[700], fern[300]],
  'brand-soft': [oklch(0.951, 0.028, 166), oklch(0.315, 0.045, 166)],
  'on-brand-soft': [fern[800], fern[200]],
  accent: [apricot[400], apricot[400]],
  'on-accent': ['#2b1500', '#2b1500'],
  'accent-soft': [oklch(0.955, 0.032, 70), oklch(0.335, 0.05, 62)],
  'on-accent-soft': [apricot[800], apricot[200]],
  good: [oklch(0.46, 0.105, 158), oklch(0.82, 0.12, 160)],
  'good-ground': [oklch(0.952, 0.036, 160), oklch(0.315, 0.048, 162)],
  warn: [oklch(0.47, 0.1, 68), oklch(0.85, 0.115, 84)],
  'warn-ground': [oklch(0.956, 0.045, 88), oklch(0.33, 0.05, 78)],
  bad: [oklch(0.48, 0.165, 25), oklch(0.79, 0.105, 22)],
  'bad-ground': [oklch(0.953, 0.023, 20), oklch(0.325, 0.07, 22)],
  'bad-solid': [oklch(0.5, 0.17, 25), oklch(0.53, 0.17, 25)],
  'on-bad-solid': ['#ffffff', '#ffffff'],
  wait: [oklch(0.46, 0.115, 250), oklch(0.82, 0.085, 245)],
  'wait-ground': [oklch(0.953, 0.022, 245), oklch(0.32, 0.055, 250)],
  plum: [oklch(0.45, 0.105, 325), oklch(0.83, 0.08, 325)],
  'plum-ground': [oklch(0.953, 0.022, 325), oklch(0.325, 0.05, 325)],
  focus: [fern[600], fern[300]],
  'chart-1': [fern[600], fern[400]],
  'chart-2': [apricot[600], apricot[400]],
  'chart-mute': [oklch(0.86, 0.022, 160), oklch(0.42, 0.022, 160)],
}

const surfaces = ['ground', 'paper', 'sunken', 'raised']
const meanings = ['good', 'warn', 'bad', 'wait', 'plum']
const tinted = ['brand-soft', 'accent-soft', 'warn-ground', 'bad-ground', 'good-ground', 'wait-ground', 'plum-ground']

const used: readonly (readonly [ink: string, grounds: readonly string[], least: number])[] = [
  ['ink', [...surfaces, ...tinted], READABLE],
  [
    'quiet',
    [...surfaces, 'bad-ground', 'warn-ground', 'good-ground', 'wait-ground', 'accent-soft', 'brand-soft'],
    READABLE,
  ],
  ['faint', ['ground', 'paper', 'raised'], READABLE],
  ['brand-ink', [...surfaces, 'brand-soft', 'wait-ground', 'warn-ground', 'bad-ground', 'good-ground'], READABLE],
  ['on-brand', ['brand', 'brand-hover'], READABLE],
  ['on-brand-soft', ['brand-soft'], READABLE],
  ['on-accent', ['accent'], READABLE],
  ['on-accent-soft', ['accent-soft', 'paper'], READABLE],
  ['on-bad-solid', ['bad-solid'], READABLE],
  ...meanings.map((name) => [name, [`${name}-ground`, 'paper', 'ground', 'sunken'], READABLE] as const),
  ['line-strong', ['paper', 'ground'], VISIBLE],
  ['focus', ['ground', 'paper', 'sunken', 'brand-soft'], VISIBLE],
  ['chart-1', ['paper'], VISIBLE],
  ['chart-2', ['paper'], VISIBLE],
  ['brand', ['paper', 'ground'], VISIBLE],
]

export const pairsOf = (from: Tokens): Pair[] =>
  used.flatMap(([ink, grounds, least]) =>
    grounds.flatMap((on) =>
      (['light', 'dark'] as const).map((scheme, index) => ({
        ink,
        on,
        scheme,
        contrast: contrast(colorOf(from, ink, index), colorOf(from, on, index)),
        least,
      })),
    ),
  )

export const tooFaint = (from: Tokens): Pair[] => pairsOf(from).filter((pair) => pair.contrast < pair.least)

export const tokensCss = (from: Tokens): string =>
  [
    '/* Generated by tools/print-tokens.ts from tools/tokens.ts. The contrast of every pair in use is checked there. */',
    ':root {',
    ...Object.entries(from).map(([name, [light, dark]]) =>
      light === dark ? `  --${name}: ${light};` : `  --${name}: light-dark(${light}, ${dark});`,
    ),
    '}',
    '',
  ].join('\n')

function colorOf(from: Tokens, name: string, scheme: number): string {
  const color = from[name]?.[scheme]
  if (color === undefined) throw new Error(`There is no token ${name}.`)
  return color
}

/** A colour that a screen can show: the chroma is reduced until it is inside sRGB. */
function oklch(light: number, chroma: number, hue: number): string {
  const isShown = (color: Rgb) => color.every((part) => part >= -0.0005 && part <= 1.0005)
  let reduced = chroma
  while (reduced > 0.001 && !isShown(linearRgb(light, reduced, hue))) reduced *= 0.97
  const parts = linearRgb(light, reduced, hue).map((part) => {
    const shown = Math.min(1, Math.max(0, gamma(Math.max(0, part))))
    return Math.round(255 * shown)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

function gamma(part: number): number {
  return part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055
}

/** The matrices are those of Oklab's definition. */
function linearRgb(light: number, chroma: number, hue: number): Rgb {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
