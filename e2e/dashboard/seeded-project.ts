// A seeded project with data on every page: animals, orders, a published site with an earlier
// version, domains in several states, keys, members and invitations. No resolver answers, so
// domains keep the state that the seed sets.

import { emptyProfile, type Profile } from '@petstore-platform/contract/platform/profiles'
import { seedStore } from '../../devserver/demo.ts'
import * as orders from '../../server/src/orders/order-queries.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'
import { liveRows } from './live-domains.ts'
import { addPictures, takePictures } from './pictures.ts'

export type SeededProject = {
  dashboard: Dashboard
  owner: BrowserOwner
  project: ProjectId
  /** Secrets of an invitation and of the shared records of a domain. */
  secrets: { invitation: string; records: string }
  /** One with a profile and three photos. */
  animal: bigint
  /** Returns the animal that it is for. */
  order(animal: string, visitor: Visitor): Promise<bigint>
  /** Sets domains live, as if their certificate had been issued. */
  makeLive(...hostnames: string[]): Promise<void>
}

type Visitor = { name: string; contact: string; message: string }

export const STORE = 'Willow Street Animal Shelter'
export const LIVE = 'happy-paws.com'
export const WAITING = 'shop.happy-paws.com'
const LONG = `${'a-long-name-'.repeat(5)}x.happy-paws.com`

const bella: Profile = {
  ...emptyProfile,
  headline: 'Walks like a lady, sleeps like a log',
  story: 'Bella came to us in **October**, when her family moved abroad.\n\n- long walks\n- a quiet street',
  breed: 'Border collie',
  isMixed: true,
  sex: 'female',
  size: 'medium',
  weightGrams: 17_000,
  born: { date: '2024-03-01', precision: 'month', isEstimated: true },
  goodWithChildren: 'yes',
  goodWithCats: 'no',
  traits: ['calm', 'curious', 'a good listener'],
  fee: { amount: 24_000, currency: 'EUR' },
  isFeatured: true,
  internalNotes: 'Vet on Thursday.',
}

export async function startSeededProject(): Promise<SeededProject> {
  const dashboard = await startDashboard({ DNS_RESOLVERS: 'unreachable=127.0.0.1:1' })
  const owner = await dashboard.makeOwner({ name: STORE, plan: 'enterprise' })
  const at = (path: string) => `/projects/${owner.slug}${path}`
  await seedStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 60_000 })
  // Publish again, so that there is an earlier version.
  await seedStore(owner.ask, owner.slug, { isEmpty: true, patienceMs: 60_000 })
  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, owner.slug))
  if (project === undefined) throw new Error('the project is not there')
  const inside = inProjectOf(dashboard.database)
  const makeLive = async (...hostnames: string[]) => {
    await inside(project, (db) => db(liveRows, project, hostnames))
  }
  const order = async (animal: string, { name, contact, message }: Visitor) => {
    const { id } = await owner.ask('POST', at('/animals'), { name: animal, categoryId: 1 })
    const visitor = { petId: BigInt(Number(id)), status: 'placed' as const, name, contact, message, hold: 86_400 }
    await inside(project, (db) => orders.insert(db, project, visitor))
    return visitor.petId
  }
  for (const hostname of [LIVE, WAITING, LONG]) await owner.ask('POST', at('/domains'), { hostname })
  await makeLive(LIVE)
  const animal = await order('Bella', {
    name: 'Ben Miller',
    contact: 'ben@visitor.example',
    message: 'Saturday?\nWe have a garden.',
  })
  await owner.ask('PUT', at(`/animals/${animal}/profile`), bella)
  await addPictures(owner, animal, await takePictures(dashboard.browser, ['dog-1', 'dog-3', 'dog-2']))
  await order('Kit', { name: 'Ana', contact: '+44 20 7946 0958', message: '' })
  await owner.ask('POST', at('/keys'), { label: 'Stock system' })
  await owner.ask('POST', '/account/tokens', { label: 'My laptop' })
  await owner.ask('POST', '/account/recovery-codes')
  const colleague = await dashboard.makeOwner({ name: 'Elsewhere' })
  const invited = await owner.ask('POST', at('/invitations'), { email: colleague.email, role: 'admin' })
  await colleague.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
  const open = { email: 'jonas@visitor.example', role: 'viewer', note: 'Jonas, weekends' }
  const invitation = invitationSecret(await owner.ask('POST', at('/invitations'), open))
  const shared = await owner.ask('POST', at(`/domains/${WAITING}/share`), {})
  return {
    dashboard,
    owner,
    project,
    animal,
    secrets: { invitation, records: String(shared['link']).split('/dns/')[1] ?? '' },
    order,
    makeLive,
  }
}
