// The photos of the demo's animals: which drawing, in which place and light. draw-demo-photos.ts draws them, and the
// demo uploads them as an owner would. No photographs: whom they would show, and who took them, would have to be known.

import type { PortraitName } from '@petstore-platform/contract/portraits'

/** What is out of focus behind the animal. */
export const places = {
  meadow: { far: '#b4cf9b', near: '#6f9a5f', light: '#f7f3c6' },
  room: { far: '#e5d2bc', near: '#bd9a7b', light: '#fff2da' },
  dusk: { far: '#cdd1e5', near: '#8891b4', light: '#fde4cf' },
  window: { far: '#c0d9e5', near: '#82a8bb', light: '#f4fbff' },
  blanket: { far: '#ebd0cc', near: '#c4978f', light: '#fff0e8' },
  straw: { far: '#ead9a8', near: '#c1a35a', light: '#fff8da' },
  moss: { far: '#bfc9ae', near: '#7f8e71', light: '#f4f4de' },
  yard: { far: '#c6ced0', near: '#84918f', light: '#f8f8f2' },
} as const
export type Place = keyof typeof places

export type DemoPhoto = {
  portrait: PortraitName
  place: Place
  /** Height of the drawing as a share of the picture's shorter side. */
  size?: number
  /** Where its middle is, as shares of width and height. */
  at?: readonly [x: number, y: number]
  /** Degrees. */
  tilt?: number
  isMirrored?: boolean
  isUpright?: boolean
  hasGrass?: boolean
  /** Degrees on the colour circle, and factors: several animals share a drawing, none shares a coat. */
  coat?: readonly [hue: number, saturation: number, lightness: number]
  alt: string
}

const near = { size: 1.18, at: [0.54, 0.6] } as const
const small = { size: 0.72, at: [0.36, 0.73] } as const
const beside = { size: 0.9, at: [0.6, 0.61] } as const
/** In an upright picture, whose lower edge is further away. */
const low = { size: 0.92, at: [0.54, 0.74] } as const

/** By the name of the animal; the first one is the cover. */
export const demoPhotos: Readonly<Record<string, readonly DemoPhoto[]>> = {
  Marlow: [
    { portrait: 'dog-1', place: 'meadow', hasGrass: true, alt: 'Marlow in the meadow behind the house' },
    { portrait: 'dog-1', place: 'room', ...near, tilt: -6, alt: 'Marlow leans against a knee' },
    { portrait: 'dog-1', place: 'yard', ...small, isMirrored: true, tilt: 4, alt: 'Marlow waits at the gate' },
  ],
  Nettle: [
    { portrait: 'cat-1', place: 'blanket', alt: 'Nettle on her blanket' },
    { portrait: 'cat-1', place: 'window', ...small, tilt: 5, alt: 'Nettle at the window, at six' },
  ],
  Bramble: [{ portrait: 'rabbit-2', place: 'straw', hasGrass: true, alt: 'Bramble in the straw' }],
  Otis: [
    { portrait: 'dog-2', place: 'room', coat: [-8, 1.1, 0.72], alt: 'Otis on the rug' },
    { portrait: 'dog-2', place: 'moss', ...beside, coat: [-8, 1.1, 0.72], tilt: 8, hasGrass: true, alt: 'Otis digs' },
  ],
  'Pearl and Ruby': [
    { portrait: 'guinea-pig-1', place: 'straw', coat: [-10, 1.25, 0.95], alt: 'Ruby; Pearl is behind her' },
  ],
  Captain: [
    { portrait: 'cat-2', place: 'dusk', tilt: -3, alt: 'Captain in the evening light' },
    { portrait: 'cat-2', place: 'room', ...near, isUpright: true, alt: 'Captain from close by' },
    { portrait: 'cat-2', place: 'yard', ...small, isMirrored: true, alt: 'Captain inspects the yard' },
  ],
  Fig: [{ portrait: 'tortoise-1', place: 'moss', coat: [12, 0.9, 1.06], hasGrass: true, alt: 'Fig among the leaves' }],
  Wren: [
    { portrait: 'dog-1', place: 'window', coat: [0, 0.3, 1.05], isMirrored: true, alt: 'Wren looks up' },
    {
      portrait: 'dog-1',
      place: 'meadow',
      ...beside,
      coat: [0, 0.3, 1.05],
      tilt: 7,
      hasGrass: true,
      alt: 'Wren after a run',
    },
  ],
  Saffron: [{ portrait: 'budgie-1', place: 'window', coat: [-146, 1.5, 1.3], alt: 'Saffron by the window' }],
  Rex: [{ portrait: 'dog-3', place: 'dusk', coat: [0, 0.6, 1.12], alt: 'Rex on the day he moved out' }],
  Juno: [
    { portrait: 'dog-4', place: 'meadow', hasGrass: true, alt: 'Juno in the garden' },
    { portrait: 'dog-4', place: 'blanket', ...near, isUpright: true, tilt: -5, alt: 'Juno from close by' },
    { portrait: 'dog-4', place: 'dusk', ...small, isMirrored: true, alt: 'Juno at the end of a walk' },
  ],
  Biscuit: [
    { portrait: 'dog-2', place: 'meadow', hasGrass: true, tilt: 3, alt: 'Biscuit laughs' },
    { portrait: 'dog-2', place: 'room', ...near, alt: 'Biscuit has heard the tin' },
  ],
  'Old Tom': [
    { portrait: 'cat-1', place: 'yard', coat: [0, 0.9, 0.5], alt: 'Old Tom on the wall' },
    { portrait: 'cat-1', place: 'room', ...near, coat: [0, 0.9, 0.5], tilt: 4, alt: 'Old Tom by the stove' },
  ],
  Mia: [
    { portrait: 'cat-1', place: 'dusk', coat: [18, 1.7, 1.05], isMirrored: true, alt: 'Mia on her last day with us' },
  ],
  'Señor Whiskers': [
    { portrait: 'cat-3', place: 'straw', alt: 'Señor Whiskers in his best coat' },
    { portrait: 'cat-3', place: 'blanket', ...beside, isMirrored: true, tilt: -4, alt: 'Señor Whiskers listens' },
  ],
  Clover: [
    { portrait: 'rabbit-1', place: 'moss', hasGrass: true, alt: 'Clover in the grass' },
    { portrait: 'rabbit-1', place: 'straw', ...near, tilt: 3, alt: 'Clover from close by' },
  ],
  Thistle: [{ portrait: 'rabbit-1', place: 'dusk', coat: [-4, 0.5, 1.14], isMirrored: true, alt: 'Thistle' }],
  Pip: [{ portrait: 'guinea-pig-1', place: 'meadow', hasGrass: true, alt: 'Pip outside for the first time' }],
  Squeak: [
    { portrait: 'guinea-pig-1', place: 'blanket', coat: [6, 0.5, 0.82], isMirrored: true, alt: 'Squeak on a lap' },
  ],
  Hansi: [{ portrait: 'budgie-1', place: 'straw', alt: 'Hansi on his branch' }],
  'Koko 🦜': [
    { portrait: 'parrot-1', place: 'room', alt: 'Koko thinks' },
    { portrait: 'parrot-1', place: 'window', ...near, isMirrored: true, alt: 'Koko sees everything' },
  ],
  Methuselah: [
    { portrait: 'tortoise-1', place: 'meadow', hasGrass: true, alt: 'Methuselah on his way' },
    { portrait: 'tortoise-1', place: 'yard', ...small, isMirrored: true, alt: 'Methuselah, an hour later' },
  ],
  Ada: [
    { portrait: 'dog-3', place: 'meadow', hasGrass: true, alt: 'Ada in the meadow' },
    { portrait: 'dog-3', place: 'room', ...near, tilt: -7, alt: 'Ada from close by' },
    { portrait: 'dog-3', place: 'window', ...small, isMirrored: true, tilt: 6, alt: 'Ada waits for the van' },
    { portrait: 'dog-3', place: 'dusk', ...low, tilt: 8, isUpright: true, alt: 'Ada after supper' },
  ],
  Luna: [
    { portrait: 'cat-1', place: 'window', coat: [-12, 0.5, 1.28], alt: 'Luna on the window sill' },
    {
      portrait: 'cat-1',
      place: 'blanket',
      ...low,
      coat: [-12, 0.5, 1.28],
      tilt: 6,
      isUpright: true,
      alt: 'Luna climbs down',
    },
  ],
}

/** The file of a photo in `devserver/demo-photos/`. */
export const fileOf = (animal: string, index: number): string =>
  `${animal
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')}-${index + 1}.jpg`
