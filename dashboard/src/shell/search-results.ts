// What the search offers for a text: animals and orders that the server found, and pages whose names contain it. Pure.

import type { Received } from '@petstore-platform/contract/platform/client'
import { Globe, Inbox, KeyRound, PawPrint, Users, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { pages } from './pages.ts'

const { search: words, nav } = texts.common

type ResultPath =
  | (typeof pages)[number]['to']
  | '/projects/$project/animals/$animal'
  | '/projects/$project/requests/$order'
  | '/projects/$project/settings/domains'
  | '/projects/$project/settings/members'
  | '/projects/$project/settings/keys'

export type SearchResult = {
  key: string
  label: string
  /** What it is, beside its name. */
  kind: string
  icon: LucideIcon
  to: ResultPath
  /** Undefined unless it is the page of an animal. */
  animal?: string
  /** Undefined unless it is the page of a request. */
  order?: string
}

const places: readonly { to: ResultPath; label: string; icon: LucideIcon }[] = [
  ...pages,
  { to: '/projects/$project/settings/domains', label: nav.domains, icon: Globe },
  { to: '/projects/$project/settings/members', label: nav.members, icon: Users },
  { to: '/projects/$project/settings/keys', label: nav.keys, icon: KeyRound },
]

type Found = Received<'searchProject'>
type Shown = {
  animals: readonly Pick<Found['animals'][number], 'id' | 'name'>[]
  orders: readonly Pick<Found['orders'][number], 'id' | 'petName' | 'visitor'>[]
}

export function resultsFor(text: string, { animals, orders }: Shown): SearchResult[] {
  const wanted = text.trim().toLocaleLowerCase()
  return [
    ...animals.map(({ id, name }) => ({
      key: `animal-${id}`,
      label: name,
      kind: words.animal,
      icon: PawPrint,
      to: '/projects/$project/animals/$animal' as const,
      animal: String(id),
    })),
    ...orders.map(({ id, petName, visitor }) => ({
      key: `order-${id}`,
      label: visitor.name,
      kind: words.order(petName),
      icon: Inbox,
      to: '/projects/$project/requests/$order' as const,
      order: String(id),
    })),
    ...places
      .filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
      .map(({ to, label, icon }) => ({ key: to, label, kind: words.page, icon, to })),
  ]
}
