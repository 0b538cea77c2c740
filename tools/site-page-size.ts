// Measures what a visitor loads for the home page of a site with 12 animals: the page and its style as they are sent,
// compressed with gzip, and the typefaces that it preloads; and the page with 48 animals, as many as it can have,
// compressed with brotli. Every animal has a profile, and each of the 48 a photo as well. The site has all languages, and the
// page is not in the main one: it marks what the owner wrote, and is larger. Rendered by the code of the server, without a
// database.

import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { firstSettings, looks, type Look, type SiteSettings } from '@petstore-platform/contract/platform/site'
import { siteIn, siteOf } from '../server/src/sites/pages/layout.ts'
import { homePage, PAGE_SIZE } from '../server/src/sites/pages/render.ts'
import { readSiteFile } from '../server/src/sites/pages/site-files.io.ts'
import { firstFontsOf } from '../server/src/sites/looks/style.ts'

export type PageSize = { look: Look; html: number; full: number; style: number; fonts: number }

/** In bytes. */
export const limits: Readonly<Record<Look, Omit<PageSize, 'look'>>> = {
  meadow: { html: 4000, full: 12_000, style: 5000, fonts: 21_000 },
  journal: { html: 4000, full: 12_000, style: 5000, fonts: 48_000 },
}

const names = 'Ada, Luna, Biscuit, Old Tom, Clover, Koko, Juno, Methuselah, Señor Whiskers, Pip, Hansi, Snowdrop'.split(
  ', ',
)
const kinds = ['Dogs', 'Cats', 'Rabbits', 'Birds', 'Guinea pigs', 'Tortoises']
const categories = kinds.map((name, index) => ({ id: BigInt(index + 1), name }))
const breeds = ['Labrador', 'European Shorthair', 'Lop rabbit', 'Amazon parrot', 'Abyssinian', 'Greek tortoise']
const animalsOf = (count: number, isPhotographed: boolean): Parameters<typeof homePage>[1]['animals'] =>
  Array.from({ length: count }, (_, index) => ({
    id: BigInt(1044 - index),
    name: `${names[index % names.length]}${index < names.length ? '' : ` ${index}`}`,
    categoryId: BigInt((index % kinds.length) + 1),
    status: 'available',
    profile: {
      breed: breeds[index % breeds.length] ?? '',
      secondBreed: '',
      isMixed: index % 3 === 0,
      sex: index % 2 === 0 ? 'female' : 'male',
      size: 'medium',
      born: { date: `20${10 + (index % 15)}-0${1 + (index % 9)}-01`, precision: 'month', isEstimated: index % 4 === 0 },
      headline: 'Walks like a gentleman, sleeps like a log',
      portrait: null,
      inCareSince: '2026-03-14',
    },
    ...(isPhotographed && {
      cover: {
        digest: hash('sha256', String(index), 'hex'),
        recipe: 1,
        widths: [320, 640, 960, 1600],
        width: 2048,
        height: 1536,
        alt: '',
        focal: { x: index % 5, y: 1 },
      },
    }),
  }))

const settings = {
  title: 'Willow Street Animal Shelter',
  tagline: 'Come for an afternoon, stay for a cup of tea, and leave with the friend who picks you.',
  about: `We are a small shelter by the river, run by **nine people and many volunteers**.

### Visit us

- Tuesday to Friday, 2 to 6 pm
- Saturday, 10 am to 4 pm

Every animal is vaccinated and has seen a vet.`,
  contact: { email: 'hello@willow.example', phone: '+1 555 010 4477', address: '12 Willow Street, Riverside' },
  languages: ['de', 'fr', 'es'],
} satisfies Partial<SiteSettings>

export function measureSites(): PageSize[] {
  return looks.map((look) => {
    const content = { settings: { ...firstSettings(settings.title), ...settings, look }, categories, logo: null }
    const main = siteOf(content, { origin: 'https://willow.petstore.example', kind: 'shop', today: '2026-11-17' })
    const site = siteIn(main, 'de') ?? main
    const counts = new Map(categories.map(({ id }) => [id, { available: 2, pending: 1 }]))
    const textOf = (count: number, isPhotographed = false) =>
      homePage(site, { animals: animalsOf(count, isPhotographed), newer: undefined, older: { before: 1n }, counts })
        .text
    return {
      look,
      html: gzipSync(textOf(12)).length,
      full: brotliCompressSync(textOf(PAGE_SIZE, true), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length,
      style: gzipSync(site.style.css).length,
      fonts: firstFontsOf(look).reduce((sum, file) => sum + readSiteFile(file).length, 0),
    }
  })
}

/** One sentence for each figure above its limit. */
export const faultsOf = (sizes: readonly PageSize[]): string[] =>
  sizes.flatMap(({ look, ...figures }) =>
    (Object.keys(figures) as (keyof typeof figures)[])
      .filter((part) => figures[part] > limits[look][part])
      .map((part) => `${look}: ${part} has ${figures[part]} bytes, and ${limits[look][part]} is the most.`),
  )
