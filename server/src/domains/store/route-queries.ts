// Writes the routes of a project's domains to the host table, which edges replicate. Called
// last in the transaction that changed the domains, so a removal and its route commit together
// with everything else.

import { findCertificate } from '../../certificates/stored-queries.ts'
import { findRoute, putRoute, type Leads } from '../../fleet/directory.io.ts'
import type { Route } from '../../fleet/protocol.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { findProject } from '../../projects/project-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { listLeads, type LeadRow } from './settings-queries.ts'
import { isRouted } from '../lifecycle/status.ts'

/** Updates the routes of these domains, and of those that redirect to them. */
export const reroute = async (db: Db, project: ProjectId, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const rows = await listLeads(db, project, ids)
  if (rows.length === 0) return
  const slug = (await findProject(db, project))?.slug
  for (const row of rows) {
    // A domain without a generation is not proven: another project may serve the hostname.
    if (row.generation !== null) await lead(db, row.generation, row, slug)
  }
}

async function lead(db: Db, generation: bigint, row: LeadRow, slug: string | undefined): Promise<void> {
  const { hostname } = row
  const certificate = await findCertificate(db, hostname, generation)
  const leads = slug !== undefined && certificate ? leadsOf(row, slug, certificate.serial) : gone
  const present = await findRoute(db, hostname)
  if (!present && leads.kind === 'gone') return
  if (present && isSame(present, generation, leads)) return
  await putRoute(db, hostname, generation, leads)
}

const gone: Leads = { kind: 'gone' }

/** A redirect to a hostname that is not served now would lead nowhere; the source domain shows the site instead. */
function leadsOf(row: LeadRow, slug: string, serial: string): Leads {
  if (!isRouted(row)) return gone
  const { status, target, targetOwnership: ownership, targetCertificate: certificate, targetRest: rest } = row
  const isLeading = status !== null && target !== null && ownership !== null && certificate !== null
  if (!isLeading || !isRouted({ ownership, certificate, rest })) return { kind: 'site', slug, serial }
  return { kind: 'redirect', slug, serial, target, status }
}

const isSame = (present: Route, generation: bigint, leads: Leads): boolean => {
  if (present.generation !== String(generation) || present.kind !== leads.kind) return false
  return Object.entries(leads).every(([name, value]) => present[name as keyof Route] === value)
}
