// Serialises the draft and deployments as JSON text. The draft is written by hand where
// it contains ids of 64 bits: their digits are sent unchanged.

import type { Deployment } from '@petstore-platform/contract/platform/deployments'
import type { ImageType, SiteSettings } from '@petstore-platform/contract/platform/site'
import type { SiteContent } from './content.ts'

export type DraftJson = {
  version: number
  settings: SiteSettings
  logo: { digest: string; type: ImageType } | null
}

export const siteJson = ({ version, settings, logo }: DraftJson): string =>
  `{"version":${version},${membersOf(settings)},"logo":${JSON.stringify(logo)}}`

/** The part of the draft that a deployment stores. */
export function contentShownJson({ settings, logo, categories }: SiteContent): string {
  const named = categories.map(({ id, name }) => `{"id":${id},"name":${JSON.stringify(name)}}`)
  return `{${membersOf(settings)},"logo":${JSON.stringify(logo)},"categories":[${named.join(',')}]}`
}

/** Without the surrounding braces. */
function membersOf(settings: SiteSettings): string {
  const { title, tagline, about, themeColor, look, language, languages, contact, hiddenCategories, questions } =
    settings
  const { email, phone, address } = contact
  const front = { title, tagline, about, themeColor, look, language, languages, contact: { email, phone, address } }
  return `${JSON.stringify(front).slice(1, -1)},"hiddenCategories":[${hiddenCategories.join(',')}],"questions":${JSON.stringify(questions)}`
}

type Shown = Omit<Deployment, 'createdAt' | 'finishedAt'> & { createdAt: Date; finishedAt: Date | null }

export const deploymentJson = (deployment: Shown): string => {
  const { id, number, state, reason, digest, isCurrent, createdBy, createdAt, finishedAt } = deployment
  return JSON.stringify({ id, number, state, reason, digest, isCurrent, createdBy, createdAt, finishedAt })
}
