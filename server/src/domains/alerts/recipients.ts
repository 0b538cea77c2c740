// Who is mailed about a domain. Everybody whose role is among the kind's; and if no owner can be
// expected to get it, because all their addresses depend on the domain itself, the admins too.

import type { Role } from '@petstore-platform/contract/platform/operation'
import type { DomainMailKind } from '../lifecycle/attention.ts'
import { registrableOf } from '../naming/names.ts'

export type DomainMailMember = { account: string; role: Role; email: string | undefined }

type AboutDomains = DomainMailKind | 'domain_moved' | 'edge_addresses_change'

const toOwners: readonly Role[] = ['owner']
const toOwnersAndAdmins: readonly Role[] = ['owner', 'admin']

const rolesOf: Readonly<Record<AboutDomains, readonly Role[]>> = {
  domain_live: toOwnersAndAdmins,
  domain_restored: toOwnersAndAdmins,
  domain_alert: toOwnersAndAdmins,
  domain_reminder: toOwnersAndAdmins,
  renewal_failing: toOwners,
  domain_moved: toOwners,
  edge_addresses_change: toOwners,
}

export function recipientsOf(kind: AboutDomains, hostname: string, members: readonly DomainMailMember[]): string[] {
  const owners = members.filter(({ role }) => role === 'owner')
  const isCutOff = owners.every(({ email }) => email !== undefined && dependsOn(email, hostname))
  const roles = isCutOff ? toOwnersAndAdmins : rolesOf[kind]
  return members.filter(({ role }) => roles.includes(role)).map(({ account }) => account)
}

/** Whether mail to the address needs the DNS of the hostname's domain. */
export function dependsOn(email: string, hostname: string): boolean {
  const mailDomain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const apex = registrableOf(hostname) ?? hostname
  return mailDomain === apex || mailDomain.endsWith(`.${apex}`)
}
