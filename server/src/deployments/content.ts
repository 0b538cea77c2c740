// The content of a deployment, as it was when it was created: the settings, the names of
// the categories and the logo. The animals on the site are live. Stored as JSON text that
// is identical for identical content, so that its digest identifies it.

import { hash } from 'node:crypto'
import type { PetStatus } from '@petstore/contract/pets'
import { FIRST_LOOK, firstSettings, type Look, type SiteSettings } from '@petstore/contract/platform/site'

export type SiteContent = {
  settings: SiteSettings
  categories: readonly { id: bigint; name: string }[]
  /** Digest of the logo's bytes, in hexadecimal; null without one. */
  logo: string | null
}

/** An animal as the site shows it. */
export type ShownAnimal = { id: bigint; name: string; categoryId: bigint; status: PetStatus }

/** The faults of a site before it is published, in words for its owner; none if it can be published. */
export type CheckSite = (content: SiteContent, animals: readonly ShownAnimal[]) => readonly string[]

/** Ids of 64 bits are written as text. */
export const contentJson = ({ settings, categories, logo }: SiteContent): string =>
  JSON.stringify({
    settings: writtenSettings(settings),
    categories: categories.map(({ id, name }) => ({ id: String(id), name })),
    logo,
  })

/** SHA-256 of the output of contentJson, in hexadecimal. */
export const digestOf = (json: string): string => hash('sha256', json, 'hex')

/** The settings alone, as the draft stores them. */
export const settingsJson = (settings: SiteSettings): string => JSON.stringify(writtenSettings(settings))

type WrittenSettings = Omit<SiteSettings, 'hiddenCategories' | 'look'> & { hiddenCategories: string[]; look?: Look }
type Written = { settings: WrittenSettings; categories: { id: string; name: string }[]; logo: string | null }

export function readContent(json: string): SiteContent {
  const { settings, categories, logo } = JSON.parse(json) as Written
  return {
    settings: settingsOf(settings),
    categories: categories.map(({ id, name }) => ({ id: BigInt(id), name })),
    logo,
  }
}

const readSettings = (json: string): SiteSettings => settingsOf(JSON.parse(json) as WrittenSettings)

/** The settings of a draft; the defaults of a new site if it has not been changed yet. */
export const draftSettings = (json: string | null, projectName: string): SiteSettings =>
  json === null ? firstSettings(projectName) : readSettings(json)

/** The look of a draft alone, for a change that leaves it out. */
export const lookOf = (json: string | null): Look => (json === null ? FIRST_LOOK : readSettings(json).look)

const settingsOf = (written: WrittenSettings): SiteSettings => ({
  ...written,
  look: written.look ?? FIRST_LOOK,
  hiddenCategories: written.hiddenCategories.map(BigInt),
})

/** Field by field, in one order, whatever the order of the request. */
function writtenSettings(settings: SiteSettings): WrittenSettings {
  const { title, tagline, about, themeColor, look, language, contact, hiddenCategories } = settings
  const { email, phone, address } = contact
  return {
    title,
    tagline,
    about,
    themeColor,
    // Content that is older than the choice keeps its digest.
    ...(look !== FIRST_LOOK && { look }),
    language,
    contact: { email, phone, address },
    hiddenCategories: hiddenCategories.map(String),
  }
}
