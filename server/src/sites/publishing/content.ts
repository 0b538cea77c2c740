// The content of a deployment, as it was when it was created: the settings, the names of
// the categories and the logo. The animals on the site are live, and so are categories that are newer. Stored as JSON text that
// is identical for identical content, so that its digest identifies it.

import { hash } from 'node:crypto'
import type { PetStatus } from '@petstore-platform/contract/pets'
import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import type { CardProfile, PublicProfile } from '@petstore-platform/contract/platform/profiles'
import type { VisitorQuestion } from '@petstore-platform/contract/platform/questions'
import {
  FIRST_LOOK,
  firstSettings,
  languages as allLanguages,
  type Language,
  type Look,
  type SiteSettings,
} from '@petstore-platform/contract/platform/site'

export type SiteContent = {
  settings: SiteSettings
  categories: readonly { id: bigint; name: string }[]
  /** Digest of the logo's bytes, in hexadecimal; null without one. */
  logo: string | null
}

type Animal = { id: bigint; name: string; categoryId: bigint; status: PetStatus }

/** An animal as a list shows it; without a profile, nothing has been written about it yet. */
export type ShownAnimal = Animal & {
  profile?: CardProfile | undefined
  cover?: PublicPhoto | undefined
  /** How many people have asked for it; undefined if there are none, or the owner does not show it. */
  asked?: number | undefined
}

/** An animal with everything that its own page shows; the first photo is its cover. */
export type PresentedAnimal = Animal & {
  profile?: PublicProfile | undefined
  photos?: readonly PublicPhoto[] | undefined
}

/**
 * The faults of a site before it is published, in words for its owner, page by page; none if it can be published. A page is
 * rendered when its faults are taken, so that the caller can do other things in between.
 */
export type CheckSite = (content: SiteContent, animals: readonly PresentedAnimal[]) => Iterable<readonly string[]>

/** With the categories that were created since: their animals are live, and would be shown without a category. */
export function withNewCategories(content: SiteContent, named: SiteContent['categories']): SiteContent {
  const published = new Set(content.categories.map(({ id }) => id))
  const added = named.filter(({ id }) => !published.has(id))
  return added.length === 0 ? content : { ...content, categories: [...content.categories, ...added] }
}

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

type WrittenSettings = Omit<SiteSettings, 'hiddenCategories' | 'look' | 'languages' | 'questions'> & {
  hiddenCategories: string[]
  look?: Look
  languages?: readonly Language[]
  questions?: readonly VisitorQuestion[] | null
}
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

const settingsOf = (written: WrittenSettings): SiteSettings => ({
  ...written,
  look: written.look ?? FIRST_LOOK,
  languages: written.languages ?? [],
  hiddenCategories: written.hiddenCategories.map(BigInt),
  // A site from before there were questions asks none until its owner writes some.
  questions: written.questions === undefined ? [] : written.questions,
})

/** Field by field, in one order, whatever the order of the request. */
function writtenSettings(settings: SiteSettings): WrittenSettings {
  const { title, tagline, about, themeColor, look, language, languages, contact, hiddenCategories } = settings
  const { email, phone, address } = contact
  const questions = settings.questions?.map(({ kind, text, isRequired, choices }) => ({
    kind,
    text,
    isRequired,
    choices,
  }))
  return {
    title,
    tagline,
    about,
    themeColor,
    // Content that is older than these choices keeps its digest.
    ...(look !== FIRST_LOOK && { look }),
    language,
    ...(languages.length > 0 && { languages: allLanguages.filter((one) => languages.includes(one)) }),
    contact: { email, phone, address },
    hiddenCategories: hiddenCategories.map(String),
    ...(questions?.length !== 0 && { questions: questions ?? null }),
  }
}
