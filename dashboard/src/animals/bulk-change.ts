// What can be changed of many animals at once. Pure.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import type { SHEETS_MAX } from '@petstore-platform/contract/platform/site'
import * as texts from '../texts/texts.ts'
import type { Animal } from './rows.ts'
import { statusLabel, statusViews } from './views.ts'

const PRINTED_MAX: typeof SHEETS_MAX = 30
const { bulk } = texts.animals

export type BulkChange = { status: PetStatus } | { isHidden: boolean } | { categoryId: bigint }

export const changedBy = (change: BulkChange, animal: Animal): Animal =>
  'isHidden' in change ? { ...animal, profile: { ...animal.profile, ...change } } : { ...animal, ...change }

type ChangeWords = {
  title: (count: number) => string
  meaning: string
  action: string
  done: (count: number) => string
}

/** `category`: of the change to it; undefined while none is chosen. */
export function wordsOfChange(
  change: BulkChange | undefined,
  { kind, category = '' }: { kind: ProjectKind; category?: string },
): ChangeWords {
  if (change === undefined || 'categoryId' in change)
    return { ...bulk.category, done: (count) => bulk.category.done(count, category) }
  if ('isHidden' in change) return change.isHidden ? bulk.hide : bulk.show
  const label = statusLabel(change.status, kind)
  return {
    title: (count) => bulk.title(count, label),
    meaning: statusViews[change.status].meaning,
    action: bulk.action,
    done: (count) => bulk.done(count, label),
  }
}

export type Printing = { href: string; count: number } | { reason: string }

/** A sheet for each animal on the site, in the order of the list; `siteUrl` is undefined while it is not published. */
export function printingOf(siteUrl: string | undefined, animals: readonly Animal[]): Printing {
  if (siteUrl === undefined) return { reason: bulk.printUnpublished }
  const shown = animals.filter(({ profile }) => !profile.isHidden)
  if (shown.length === 0) return { reason: bulk.printHidden }
  if (shown.length > PRINTED_MAX) return { reason: bulk.printMost(PRINTED_MAX) }
  const ids = shown.map(({ id }) => id).join(',')
  return { href: new URL(`/print?animals=${ids}`, siteUrl).href, count: shown.length }
}
