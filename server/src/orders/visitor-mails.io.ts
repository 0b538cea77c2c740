// Whether the visitors of a project are mailed: if its members want it, an owner has proved an
// address, and the site is published. The same rule decides when a mail is sent and what members
// are told about it.

import { findAccounts, type AccountId } from '../accounts/account-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { listMembers } from '../projects/member-queries.ts'
import { mailsVisitors } from '../projects/notification-queries.ts'
import type { Platform } from '../projects/platform.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import type { OrderRow } from './order-queries.ts'

/** What a project contributes to the rule. */
export type VisitorMailSettings = { isOn: boolean; isPublished: boolean; owners: readonly AccountId[] }

export async function visitorMailSettings(
  db: Db,
  project: ProjectId,
  isPublished: Promise<boolean>,
): Promise<VisitorMailSettings> {
  const [isOn, owners, published] = await Promise.all([mailsVisitors(db, project), ownersOf(db, project), isPublished])
  return { isOn, isPublished: published, owners }
}

async function ownersOf(db: Db, project: ProjectId): Promise<AccountId[]> {
  const members = await listMembers(db, project)
  return members.filter(({ role }) => role === 'owner').map(({ account }) => account)
}

const isOneVerified = async (run: Db, accounts: readonly AccountId[]): Promise<boolean> =>
  (await findAccounts(run, accounts)).some(({ isVerified }) => isVerified)

/** Whether an owner has proved an address: only then is a visitor mailed in the name of the project. */
export async function hasVerifiedOwner(run: Db, inProject: InProject, project: ProjectId): Promise<boolean> {
  const owners = await inProject(project, (db) => ownersOf(db, project))
  // After the transaction: accounts belong to no project.
  return isOneVerified(run, owners)
}

/** Why no visitor of the project is mailed; undefined if they are. */
export async function reasonAgainst(
  run: Db,
  { isOn, isPublished, owners }: VisitorMailSettings,
): Promise<string | undefined> {
  if (!isOn) return 'turned off'
  if (!isPublished) return 'no published site'
  return (await isOneVerified(run, owners)) ? undefined : 'no verified owner'
}

export type NotifiedOrder = OrderRow & { notifiesVisitor: boolean }

/** Orders of a project with whether their visitors are mailed; the rule is read once for all of them. */
export async function notified(
  {
    database,
    inProject,
    sendsMail,
    isPublished,
  }: Pick<Platform, 'database' | 'inProject' | 'sendsMail' | 'isPublished'>,
  project: ProjectId,
  rows: readonly OrderRow[],
): Promise<NotifiedOrder[]> {
  const isMailable = ({ visitorContact }: OrderRow) => readAddress(visitorContact) !== undefined
  const isAsked = sendsMail && rows.some(isMailable)
  const settings = isAsked
    ? await inProject(project, (db) => visitorMailSettings(db, project, isPublished(db, project)))
    : undefined
  // After the transaction: accounts belong to no project.
  const isMailing = settings !== undefined && (await reasonAgainst(database.run, settings)) === undefined
  return rows.map((row) => ({ ...row, notifiesVisitor: isMailing && isMailable(row) }))
}
