// Applies an import that was reviewed: all rows in one transaction, or none. Every row is judged once more with its animal
// locked; if one now has a problem that it did not have in the review, nothing is written and it is reviewed again. Each
// row remembers its animal as it was and as it became, so that the import can be undone.

import { CATEGORIES_MAX } from '@petstore-platform/contract/platform/animals'
import { setTimer, type Timer } from '../foundation/postgres/timer-leases.io.ts'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { refuseFullProject } from '../projects/stored-usage.io.ts'
import * as categories from '../animals/category-queries.ts'
import { insertPets } from '../animals/many-animals-queries.ts'
import { emptyFields } from '../animals/profile.ts'
import { putMany } from '../animals/profile-queries.ts'
import type { WholeImport } from './import-queries.ts'
import type { NextAnimal, NextCategory, Target } from './judge.ts'
import type { Judge, JudgedSource } from './judging.io.ts'
import { afterText, beforeText } from './undo-state.ts'
import { photoFetchTimer } from './photos.ts'
import { noCounts, withJudge, writeAll } from './review.io.ts'
import { readRows, remember, type StoredRow } from './row-queries.ts'
import { changePets } from './statuses.io.ts'
import { extendIdleTimeout, claimExtender, conclude, inBatches, lost, type ReviewContext } from './step.io.ts'

/** Something has changed since the review; the message is for people. */
export class Outdated extends Error {}

export const applyAll = (context: ReviewContext, due: Timer, found: WholeImport): Promise<void> =>
  withJudge(context, due.project as ProjectId, found, (judge) => applyRows(context, due, found, judge))

async function applyRows(context: ReviewContext, due: Timer, found: WholeImport, judge: Judge): Promise<void> {
  const project = due.project as ProjectId
  const by = { project, account: found.createdBy }
  await context
    .inProject(project, async (db) => {
      await db(extendIdleTimeout)
      const maker = categoryMaker(db, project)
      const counts = noCounts()
      let hasAddresses = false
      const read = (after: number, count: number) => readRows(db, project, due.id, after, count)
      for await (const batch of inBatches(read, claimExtender(context, due))) {
        const judged = await judge.judge(await judge.find(db, batch, true))
        refuseNewProblems(batch, judged, found.onBadLine)
        await writeAll(db, project, due.id, judged)
        hasAddresses = (await write(context, db, by, due.id, judged, maker.idOf)) || hasAddresses
        for (const { judgement } of judged) counts[judgement.outcome] += 1
      }
      await refuseFullProject(db, project, context.plans)
      const { create: added, update: changed } = counts
      const result = { changed, counts, madeCategories: maker.made }
      if (!(await conclude(context, db, due, { kind: 'succeeded', added, result }))) throw lost(due)
      if (hasAddresses) await setTimer(db, photoFetchTimer(project, due.id))
    })
    .catch((error: unknown) => {
      throw isTaken(error) ? new Outdated('Another animal was given an identifier that the file contains.') : error
    })
}

const UNIQUE_VIOLATION = '23505'
const isTaken = (error: unknown) => (error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION

function refuseNewProblems(
  rows: readonly StoredRow[],
  judged: readonly JudgedSource[],
  onBadLine: WholeImport['onBadLine'],
): void {
  for (const [index, { row, judgement }] of judged.entries()) {
    if (judgement.outcome !== 'problem') continue
    if (onBadLine === 'skip' && rows[index]?.outcome === 'problem') continue
    throw new Outdated(`Animals have changed since the review: row ${row} has a problem now. Nothing was written.`)
  }
}

/** Makes the categories that rows ask for, each once. */
function categoryMaker(db: Db, project: ProjectId) {
  const byName = new Map<string, bigint>()
  const made: bigint[] = []
  return {
    made,
    idOf: async (category: NextCategory): Promise<bigint> => {
      if ('id' in category) return category.id
      const known = byName.get(category.create)
      if (known !== undefined) return known
      await categories.lockCategories(db, project)
      if ((await categories.countCategories(db, project)) >= CATEGORIES_MAX) {
        throw new Outdated(`A project has at most ${CATEGORIES_MAX} categories.`)
      }
      let row: categories.CategoryRow | undefined
      // The next identifier may have been given a name before it was assigned.
      while (!row) row = await categories.insertCategory(db, project, category.create)
      byName.set(category.create, row.id)
      made.push(row.id)
      return row.id
    },
  }
}

type Change = { row: number; target: Target | undefined; next: NextAnimal; categoryId: bigint; hasAddress: boolean }

/** True if a row names a photo by its address. */
async function write(
  context: ReviewContext,
  db: Db,
  by: { project: ProjectId; account: WholeImport['createdBy'] },
  id: string,
  judged: readonly JudgedSource[],
  categoryIdOf: (category: NextCategory) => Promise<bigint>,
): Promise<boolean> {
  const { project } = by
  const changes: Change[] = []
  for (const { row, target, judgement } of judged) {
    const { next, photos } = judgement
    const hasAddress = photos.some(({ state }) => state === 'pending')
    if (next) changes.push({ row, target, next, categoryId: await categoryIdOf(next.category), hasAddress })
  }
  const created = changes.filter(({ target }) => !target)
  const pets = await petIdsOf(db, changes)
  const petRow = (change: Change) => ({ id: pets.get(change) ?? 0n, ...petOf(change) })
  await insertPets(db, project, created.map(petRow))
  const changed = changes.flatMap((change) =>
    change.target ? [{ now: change.target.animal, next: petRow(change) }] : [],
  )
  await changePets(context, db, by, changed)
  const described = changes.filter(({ target, next }) => !isSame(next.profile, target?.animal.profile ?? emptyFields))
  const versions = await putMany(
    db,
    project,
    described.map((change) => ({ pet: pets.get(change) ?? 0n, profile: change.next.profile })),
  )
  const remembered = changes.map((change) => {
    const { row, target, hasAddress } = change
    const pet = pets.get(change) ?? 0n
    const version = versions.get(pet) ?? target?.version ?? 0
    const before = target ? beforeText(target) : null
    return { row, petId: String(pet), before, after: afterText(petOf(change), version), isFetching: hasAddress }
  })
  if (remembered.length > 0) await remember(db, project, id, remembered)
  return changes.some(({ hasAddress }) => hasAddress)
}

const nextIds = statement<{ id: bigint }, [count: number]>(
  'take-pet-ids',
  `select nextval('pet_ids') as id from generate_series(1, $1::integer)`,
)

/** Of each change: the animal that it names, or a new one. */
async function petIdsOf(db: Db, changes: readonly Change[]): Promise<Map<Change, bigint>> {
  const created = changes.filter(({ target }) => !target)
  const ids = created.length === 0 ? [] : await db(nextIds, created.length)
  return new Map([
    ...created.map((change, index) => [change, ids[index]?.id ?? 0n] as const),
    ...changes.flatMap((change) => (change.target ? [[change, change.target.id] as const] : [])),
  ])
}

const petOf = ({ next: { name, status }, categoryId }: Change) => ({ name, categoryId, status })

const isSame = (one: object, other: object): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
const sorted = (value: object) => Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
