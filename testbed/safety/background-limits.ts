// Limits that the background work enforces: nothing is refused when they are reached, so what they leave shows it. For the
// line about coverage.

import { setTimeout as pause } from 'node:timers/promises'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { queueMail } from '../../server/src/program/mail-kinds.ts'
import { reserve } from '../../server/src/orders/reservations.io.ts'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'
import { contentWith } from '../samples/sites.ts'
import { startWork } from '../../server/src/program/work.ts'
import { startMailRelay } from '../harness/mail-relay.ts'
import { publishAtOnce } from '../harness/publish.ts'
import { idOf, rex, shopConfig, smallLimits, type FreeShop, type ShopService } from './free-shop.ts'
import { must } from './line.ts'

/** Each fails unless its limit is enforced. */
export const backgroundLimits: Readonly<
  Record<string, (shop: FreeShop, database: ShopService['database']) => Promise<void>>
> = { importRows, deployments, visitorMails }

/** With a worker that sends mail, in this process. */
export async function enforceInBackground(service: ShopService, appUrl: string): Promise<void> {
  const relay = await startMailRelay()
  const mail = { SMTP_URL: relay.url, MAIL_FROM: 'Petstore <no-reply@petstore.example>' }
  const { database } = service
  const work = await startWork(shopConfig(appUrl, mail), { database, pauseMs: 10 })
  try {
    const checks = Object.values(backgroundLimits)
    await Promise.all(checks.map(async (check) => check(await service.openShop(), database)))
  } finally {
    await work.stop()
    await relay.stop()
  }
}

const PATIENCE_MS = 60_000

/** A worker does it in a moment. */
async function settled<T>(what: string, read: () => Promise<T>, isOver: (found: T) => boolean): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(10)) {
    const found = await read()
    if (isOver(found)) return found
  }
  throw new Error(`${what} did not end`)
}

type Import = { id: string; state: string; reason: string | null }

async function importRows({ send }: FreeShop): Promise<void> {
  const most = smallLimits.importRows
  const read = async (rows: number): Promise<Import> => {
    const path = '/projects/{project}/imports'
    const wanted = { onBadLine: 'refuse', isReviewed: true, fileName: 'animals.csv' }
    const id = idOf(await send('POST', path, wanted))
    const table = `name,status\r\n${'Rex,available\r\n'.repeat(rows)}`
    await send('PUT', `${path}/${id}/parts/1`, table, { 'Content-Type': 'text/csv' })
    await send('POST', `${path}/${id}/read`, { parts: 1 })
    const show = async () => (await send('GET', `${path}/${id}`)).json as Import
    return settled('an import', show, ({ state }) => state !== 'reading' && state !== 'judging')
  }
  const [within, beyond] = [await read(most), await read(most + 1)]
  must(within.state !== 'failed', `importRows: a file of ${most} rows is rejected: ${within.reason}`)
  must(beyond.state === 'failed', `importRows: a file of ${most + 1} rows is ${beyond.state}`)
  must(beyond.reason?.includes(`${most} rows`) === true, `importRows: one more is rejected by ${beyond.reason}`)
}

type Deployment = { id: string; finishedAt: string | null; isCurrent: boolean }

async function deployments({ send }: FreeShop): Promise<void> {
  const most = smallLimits.deployments
  const path = '/projects/{project}/deployments'
  const ids: string[] = []
  // When the last one is requested, those before it have ended: the current one and as many as are kept.
  while (ids.length < most + 2) {
    const id = idOf(await send('POST', path))
    ids.push(id)
    const show = async () => (await send('GET', `${path}/${id}`)).json as Deployment
    await settled('a deployment', show, ({ finishedAt }) => finishedAt !== null)
  }
  const kept = (await send('GET', path)).json as Deployment[]
  must(kept.length <= most + 1, `deployments: ${kept.length} are kept besides the current one; at most ${most} are`)
  must(!kept.some(({ id }) => id === ids[0]), 'deployments: the oldest does not make room')
  must(kept.find(({ isCurrent }) => isCurrent)?.id === ids.at(-1), 'deployments: the current one is not kept')
}

const visitorMailRows = statement<{ state: string; outcome: string | null }, [project: bigint]>(
  'test-visitor-mails',
  `select state, outcome from mail_directory where project_id = $1 and kind = 'order_received'`,
)

async function visitorMails({ send, project }: FreeShop, database: ShopService['database']): Promise<void> {
  const most = smallLimits.visitorMails
  const inProject = inProjectOf(database)
  await publishAtOnce(inProject, project, contentWith())
  const petId = BigInt(idOf(await send('POST', '/projects/{project}/animals', rex)))
  for (let n = 0; n <= most; n++) {
    const visitor = { name: 'Ursula', contact: `visitor-${n}@visitor.example`, message: '' }
    await reserve({ inProject, queueMail }, project, { petId, ...visitor })
  }
  const show = () => database.run(visitorMailRows, project)
  const mails = await settled('a mail', show, (found) => found.every(({ state }) => state !== 'queued'))
  const sent = mails.filter(({ state }) => state === 'sent').length
  const left = mails.filter(({ outcome }) => outcome === 'budget of the plan').length
  must(sent === most && left === 1, `visitorMails: of ${most + 1} mails to visitors ${sent} are sent, ${left} left out`)
}
