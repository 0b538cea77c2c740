// What the catalogue shows, as `testbed/catalogue/catalogue.ts` prints it from the server's own
// code: domains for the page of a domain, and single troubles.

import type { Domain, Trouble } from '@petstore/contract/platform/domain-shapes'

export type CatalogueEntry = { name: string } & ({ domain: Domain } | { trouble: Trouble })

export const groupNames = ['statuses', 'axes', 'causes', 'told', 'records', 'extremes'] as const
export type GroupName = (typeof groupNames)[number]

export type Catalogue = Readonly<Record<GroupName, readonly CatalogueEntry[]>>
