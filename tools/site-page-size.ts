// Measures what a visitor loads for the home page of a site with 12 animals: the page and its style as they are sent,
// compressed with gzip, and the typefaces that it preloads. Rendered by the code of the server, without a database.

import { gzipSync } from 'node:zlib'
import { looks, type Look } from '@petstore/contract/platform/site'
import { siteOf } from '../server/src/sites/layout.ts'
import { homePage } from '../server/src/sites/render.ts'
import { contentWith } from '../server/src/sites/samples.fake.ts'
import { readSiteFile } from '../server/src/sites/site-files.io.ts'
import { firstFontsOf } from '../server/src/sites/style.ts'

export type PageSize = { look: Look; html: number; style: number; fonts: number }

/** In bytes. */
export const limits: Readonly<Record<Look, Omit<PageSize, 'look'>>> = {
  meadow: { html: 4000, style: 5000, fonts: 21_000 },
  journal: { html: 4000, style: 5000, fonts: 48_000 },
}

const names = 'Ada, Luna, Biscuit, Old Tom, Clover, Koko, Juno, Methuselah, Señor Whiskers, Pip, Hansi, Snowdrop'.split(
  ', ',
)
const kinds = ['Dogs', 'Cats', 'Rabbits', 'Birds', 'Guinea pigs', 'Tortoises']
const categories = kinds.map((name, index) => ({ id: BigInt(index + 1), name }))
const animals = names.map((name, index) => ({
  id: BigInt(1044 - index),
  name,
  categoryId: BigInt((index % kinds.length) + 1),
  status: 'available' as const,
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
}

export function measureSites(): PageSize[] {
  return looks.map((look) => {
    const site = siteOf(contentWith({ ...settings, look }, { categories }), 'https://willow.petstore.example')
    const counts = new Map(categories.map(({ id }) => [id, 2]))
    const { text } = homePage(site, { animals, newer: undefined, older: undefined, counts }, true)
    return {
      look,
      html: gzipSync(text).length,
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
