// Animals and their requests in memory, moved by the functions that move the stored ones: no
// database, so that a million random steps take seconds. The clock is a number of days.

import { orderStages, type HoldRule, type OrderStage } from '@petstore-platform/contract/platform/orders'
import { petStatuses, type PetStatus } from '@petstore-platform/contract/pets'
import {
  isOpen,
  orderFacts,
  orderTransitions,
  type OpenStage,
  type OrderFact,
} from '../../../server/src/orders/lifecycle.ts'
import * as moves from '../../../server/src/orders/moves.ts'
import { isObjection, othersIn, type RequestChange, type Situation } from '../../../server/src/orders/moves.ts'
import { animalTransitions, setByOwner } from '../../../server/src/animals/lifecycle.ts'

const ANIMALS = 5
const REOPEN_DAYS = 30
const rules = ['by_hand', 'on_approval', 'on_visit', 'on_first_request'] as const satisfies readonly HoldRule[]

export type Request = {
  id: bigint
  petId: bigint
  stage: OrderStage
  stageBefore: OpenStage | null
  isHolding: boolean
  endedOn: number
}
type Undo = { id: bigint; pet: [PetStatus, PetStatus]; requests: Request[] }
type Animal = { id: bigint; status: PetStatus; requests: Request[]; undo: Undo | undefined }

export type StepFigures = {
  steps: number
  /** Of the 81 cells of the table; each was tried. */
  tried: number
  /** Of the transitions that the table allows. */
  made: number
  allowed: number
  undone: number
  faults: string[]
}

/** What is wrong with an animal and its requests; nothing if all is well. */
export function faultsOf({ status, requests }: Pick<Animal, 'status' | 'requests'>): string[] {
  const open = requests.filter(({ stage }) => isOpen(stage))
  const holders = requests.filter(({ isHolding }) => isHolding)
  return [
    ...(holders.length > 1 ? [`${holders.length} requests hold one animal`] : []),
    ...(holders.length === 1 && status !== 'pending' ? [`a request holds an animal that is ${status}`] : []),
    ...(holders.some(({ stage }) => !isOpen(stage)) ? ['a request that has ended holds an animal'] : []),
    ...(status === 'sold' && open.length > 0 ? [`a sold animal has ${open.length} open requests`] : []),
    ...(open.length > 20 ? [`${open.length} open requests`] : []),
  ]
}

export type StepOptions = {
  steps: number
  seed: number
  /** Negative control: a hold does not look at the other requests, and no index stops it. */
  isBroken?: boolean
}

export function takeSteps({ steps, seed, isBroken = false }: StepOptions): StepFigures {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const tried = new Set<string>()
  const made = new Set<string>()
  const faults: string[] = []
  let [nextId, today, undone] = [1n, 0, 0]
  const newAnimal = (): Animal => ({ id: nextId++, status: 'available', requests: [], undo: undefined })
  const animals = Array.from({ length: ANIMALS }, newAnimal)

  const situationOf = (animal: Animal, request: Request): Situation => {
    const others = othersIn(
      animal.requests.filter(({ stage }) => isOpen(stage)),
      request.id,
    )
    return {
      ...request,
      petStatus: animal.status,
      isRecent: !isOpen(request.stage) && today - request.endedOn < REOPEN_DAYS,
      ...others,
      isHeldByOther: others.isHeldByOther && !isBroken,
    }
  }
  const write = (request: Request, { stage, stageBefore, isHolding }: RequestChange) => {
    if (!isOpen(stage) && request.stage !== stage) request.endedOn = today
    Object.assign(request, { stage, stageBefore, isHolding })
  }
  const note = (request: Request, fact: OrderFact, result: object) => {
    tried.add(`${request.stage} ${fact}`)
    if (!isObjection(result)) made.add(`${request.stage} ${fact}`)
  }
  const apply = (animal: Animal, request: Request, change: RequestChange | moves.Objection) => {
    if (isObjection(change)) return
    const closed = change.closesOthers
      ? animal.requests.filter((other) => other !== request && isOpen(other.stage))
      : []
    const before = [request, ...closed].map((each) => ({ ...each }))
    for (const other of closed) close(animal, other)
    write(request, change)
    animal.undo = { id: request.id, pet: [animal.status, change.petStatus], requests: before }
    animal.status = change.petStatus
  }
  const close = (animal: Animal, request: Request) => {
    const change = moves.moveBy(situationOf(animal, request), 'animal_gone', 'by_hand')
    note(request, 'animal_gone', change)
    if (!isObjection(change)) write(request, change)
  }

  const setStatus = (animal: Animal, status: PetStatus) => {
    const step = animalTransitions[animal.status][setByOwner(status)]
    if (!step) return
    for (const request of animal.requests.filter(({ stage }) => isOpen(stage))) {
      if (step.effects.includes('close_requests')) close(animal, request)
      else if (step.effects.includes('release_hold')) request.isHolding = false
    }
    animal.undo = undefined
    animal.status = step.next
  }
  const place = (animal: Animal) => {
    const othersOpen = animal.requests.filter(({ stage }) => isOpen(stage)).length
    const change = moves.place({ petStatus: animal.status, othersOpen }, pick(rules))
    if (isObjection(change)) return
    const { isHolding } = change
    animal.requests.push({ id: nextId++, petId: animal.id, stage: 'new', stageBefore: null, isHolding, endedOn: 0 })
    animal.status = change.petStatus
  }
  const undo = (animal: Animal) => {
    const last = animal.undo
    const request = animal.requests.find(({ id }) => id === last?.id)
    const [before] = last?.requests ?? []
    if (!last || !request || !before) return
    const [petBefore, petAfter] = last.pet
    if (!moves.isUndoable(situationOf(animal, request), { petBefore, petAfter }, before)) return
    for (const earlier of last.requests) {
      const now = animal.requests.find(({ id }) => id === earlier.id)
      if (now) Object.assign(now, earlier)
    }
    if (petBefore !== petAfter) animal.status = petBefore
    animal.undo = undefined
    undone++
  }
  const step = (animal: Animal) => {
    const request = pick(animal.requests)
    const dice = random()
    if (!request || dice < 0.25) return place(animal)
    if (dice < 0.75) {
      const fact = pick(orderFacts)
      const change = moves.moveBy(situationOf(animal, request), fact, pick(rules))
      note(request, fact, change)
      // What the members of a project cannot say happens elsewhere: a sold animal is gone.
      return fact === 'animal_gone' ? undefined : apply(animal, request, change)
    }
    if (dice < 0.82) return apply(animal, request, moves.holdFor(situationOf(animal, request)))
    if (dice < 0.87) return apply(animal, request, moves.release(situationOf(animal, request)))
    if (dice < 0.95) return undo(animal)
    if (dice < 0.97) return setStatus(animal, pick(petStatuses))
    today += random() * 3
  }

  for (let n = 0; n < steps && faults.length < 5; n++) {
    const index = Math.floor(random() * ANIMALS)
    // A queue that has had many requests begins again, so that a step costs the same at the end as at the beginning.
    if ((animals[index]?.requests.length ?? 0) > 60) animals[index] = newAnimal()
    const animal = animals[index]
    if (!animal) continue
    step(animal)
    faults.push(...faultsOf(animal).map((fault) => `step ${n}: ${fault}`))
  }
  const allowed = orderStages.flatMap((stage) =>
    orderFacts.filter((fact) => orderTransitions[stage][fact] !== undefined),
  )
  return { steps, tried: tried.size, made: made.size, allowed: allowed.length, undone, faults }
}

/** Mulberry32: 32 bits of state, the same numbers everywhere. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
