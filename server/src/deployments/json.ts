// The draft and deployments as JSON text. The draft is written out where it holds
// ids of 64 bits: their digits go to the wire as they are.

import type { Deployment } from '@petstore/contract/platform/deployments'
import type { ImageType, SiteSettings } from '@petstore/contract/platform/site'

export type Draft = {
  version: number
  settings: SiteSettings
  logo: { digest: string; type: ImageType } | null
}

export function siteJson({ version, settings, logo }: Draft): string {
  const { title, tagline, about, themeColor, language, contact, hiddenCategories } = settings
  const { email, phone, address } = contact
  const front = { version, title, tagline, about, themeColor, language, contact: { email, phone, address } }
  const ids = hiddenCategories.join(',')
  return `${JSON.stringify(front).slice(0, -1)},"hiddenCategories":[${ids}],"logo":${JSON.stringify(logo)}}`
}

type Shown = Omit<Deployment, 'createdAt' | 'finishedAt'> & { createdAt: Date; finishedAt: Date | null }

export const deploymentJson = (deployment: Shown): string => {
  const { id, number, state, reason, digest, isCurrent, createdBy, createdAt, finishedAt } = deployment
  return JSON.stringify({ id, number, state, reason, digest, isCurrent, createdBy, createdAt, finishedAt })
}
