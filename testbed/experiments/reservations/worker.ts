// Visitors, in a process of their own: its parent sends the animal to ask for and the number of
// concurrent visitors, and it reports the outcome of each request. A request is retried while
// the service is unavailable, as a visitor would do.
//
// `broken` (negative control) asks as a programmer would who ignores races: read, then
// write, without a lock and without a transaction around both.

import { QUEUE_MAX } from '@petstore-platform/contract/platform/orders'
import { Unavailable, openDatabase, statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { Refusal } from '../../../server/src/foundation/refusal.ts'
import { reserve, type ReservationRequest } from '../../../server/src/orders/reservations.io.ts'
import { inProjectOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'

export type ReservationJob = { project: string; petId: string; visitors: number; isBroken: boolean }
export type ReservationOutcome = { placed: number; refused: number; retried: number; troubles: string[] }

const TRIES_MAX = 20
const POOL_MAX = 20

const database = openDatabase({ url: process.argv[2] ?? '', poolMax: POOL_MAX, onError: () => {} })
const inProject = inProjectOf(database)

process.on('message', (job: ReservationJob) => void carryOut(job).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => void database.close().then(() => process.exit(0)))
process.send?.('ready')

async function carryOut({ project, petId, visitors, isBroken }: ReservationJob): Promise<ReservationOutcome> {
  const outcome: ReservationOutcome = { placed: 0, refused: 0, retried: 0, troubles: [] }
  const take = isBroken ? reserveBroken : reserveWell
  const visit = async (_: unknown, number: number) => {
    const reservation = {
      petId: BigInt(petId),
      name: `Visitor ${number}`,
      contact: `${number}@visitor.example`,
      message: '',
    }
    for (let attempt = 1; ; attempt++) {
      try {
        await take(BigInt(project) as ProjectId, reservation)
        outcome.placed++
        return
      } catch (error) {
        if (error instanceof Unavailable && attempt < TRIES_MAX) outcome.retried++
        else {
          if (error instanceof Refusal && error.code === 'queue_full') outcome.refused++
          else outcome.troubles.push(String(error))
          return
        }
      }
    }
  }
  await Promise.all(Array.from({ length: visitors }, visit))
  return outcome
}

async function reserveWell(project: ProjectId, reservation: ReservationRequest): Promise<void> {
  await reserve({ inProject }, project, reservation)
}

async function reserveBroken(project: ProjectId, { petId, name }: ReservationRequest): Promise<void> {
  const [found] = await inProject(project, (db) => db(readQueue, project, petId))
  if (!found || found.open >= QUEUE_MAX) throw new Refusal('queue_full')
  await inProject(project, (db) => db(writeOrder, project, petId, name, found.status === 'available'))
  await inProject(project, (db) => db(writePet, project, petId))
}

const readQueue = statement<{ status: string; open: number }, [project: ProjectId, petId: bigint]>(
  'broken-look',
  `select status, (
     select count(*)::integer from orders where orders.project_id = $1 and pet_id = $2
   ) as open
   from pets where project_id = $1 and id = $2`,
)
const writeOrder = statement<never, [project: ProjectId, petId: bigint, name: string, isHolding: boolean]>(
  'broken-order',
  `insert into orders (project_id, pet_id, status, visitor_name, is_holding) values ($1, $2, 'placed', $3, $4)`,
)
const writePet = statement<never, [project: ProjectId, petId: bigint]>(
  'broken-pet',
  `update pets set status = 'pending' where project_id = $1 and id = $2`,
)
