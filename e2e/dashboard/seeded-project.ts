// A seeded project with data on every page: animals, requests, a published site with an earlier
// version, domains in several states, keys, members and invitations. No resolver answers, so
// domains keep the state that the seed sets.

import { emptyProfile, type Profile } from '@petstore-platform/contract/platform/profiles'
import { seedStore } from '../../devserver/demo.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'
import { liveRows } from './live-domains.ts'
import { addPictures, takePictures } from './pictures.ts'
import { askFor } from './visitor-requests.ts'
import { applyImport, reviewImport } from './reviewed-imports.ts'

export type SeededProject = {
  dashboard: Dashboard
  owner: BrowserOwner
  project: ProjectId
  /** Secrets of an invitation and of the shared records of a domain. */
  secrets: { invitation: string; records: string }
  /** One with a profile and three photos. */
  animal: bigint
  /** The one for it. */
  request: bigint
  /** One that waits for its review, and one that was applied. */
  imports: { reviewed: string; done: string }
  /** Returns the animal that it is for. */
  order(animal: string | bigint, visitor: Visitor): Promise<bigint>
  /** Sets domains live, as if their certificate had been issued. */
  makeLive(...hostnames: string[]): Promise<void>
}

type Visitor = { name: string; contact: string; message: string }

export const STORE = 'Willow Street Animal Shelter'
export const LIVE = 'happy-paws.com'
export const WAITING = 'shop.happy-paws.com'
const LONG = `${'a-long-name-'.repeat(5)}x.happy-paws.com`

/** With animals that are there already, a column that is not imported, a word to explain, and a problem. */
const spreadsheet = [
  'No;Name;Type;Breed;Kennel;Gender;Weight (kg);Photo',
  'A-1;Nala;Cats;Tabby;4A;f;4,2;https://photos.example/nala.jpg',
  'A-2;Momo;Gerbils;;1;m;0,1;momo.jpg',
  'A-3;;Dogs;Beagle;2;m;16;',
  'A-4;Otis;Dogs;Dachshund;3;m;heavy;',
  'A-5;Wanda;Dogs;Whippet;3;f;13;',
  'A-6;Pixel;Rabbits;;5;m;2,1;',
].join('\n')

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
  // Animals with and without photos.
  await seedStore(owner.ask, owner.slug, { isEmpty: false, patienceMs: 60_000, photosMax: 6 })
  // Publish again, so that there is an earlier version.
  await seedStore(owner.ask, owner.slug, { isEmpty: true, patienceMs: 60_000 })
  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, owner.slug))
  if (project === undefined) throw new Error('the project is not there')
  const inside = inProjectOf(dashboard.database)
  const makeLive = async (...hostnames: string[]) => {
    await inside(project, (db) => db(liveRows, project, hostnames))
  }
  const order = async (animal: string | bigint, visitor: Visitor) =>
    (await askFor(dashboard.database, owner, animal, visitor)).animal
  for (const hostname of [LIVE, WAITING, LONG]) await owner.ask('POST', at('/domains'), { hostname })
  await makeLive(LIVE)
  const { animal, order: request } = await askFor(dashboard.database, owner, 'Bella', {
    name: 'Ben Miller',
    contact: 'ben@visitor.example',
    message: 'Saturday?\nWe have a garden.',
  })
  await owner.ask('PUT', at(`/animals/${animal}/profile`), bella)
  await addPictures(owner, animal, await takePictures(dashboard.browser, ['dog-1', 'dog-3', 'dog-2']))
  await order('Kit', { name: 'Ana', contact: '+44 20 7946 0958', message: '' })
  const imports = {
    done: await applyImport(owner, new Blob(['No;Name;Type\nA-1;Nala;Cats\n']), 'new animals.csv'),
    reviewed: await reviewImport(owner, new Blob([spreadsheet]), 'our animals.csv'),
  }
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
    request,
    imports,
    secrets: { invitation, records: String(shared['link']).split('/dns/')[1] ?? '' },
    order,
    makeLive,
  }
}
