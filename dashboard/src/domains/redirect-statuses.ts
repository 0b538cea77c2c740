// The kinds of redirects that people choose from, in the order of how often they are
// right. Read off the texts, which name each kind that the server knows.

import type { RedirectStatus } from '@petstore-platform/contract/platform/domain-shapes'
import * as texts from '../texts/texts.ts'

const views: Readonly<Record<RedirectStatus, { label: string; text: string }>> = texts.redirects.statuses

export const redirectStatuses = Object.keys(views).map(Number) as RedirectStatus[]

export const statusOf = (value: string): RedirectStatus =>
  redirectStatuses.find((status) => String(status) === value) ?? 301
