// The demo store: a small shelter with names one would like to meet.

import type { PetStatus } from '@petstore/contract/pets'
import { statement, type Database, type Db } from '../src/foundation/postgres.ts'
import * as pets from '../src/pets/queries.ts'
import { inProjectOf, type ProjectId } from '../src/projects/scope.ts'

const categories = ['Dogs', 'Cats', 'Rabbits', 'Guinea pigs', 'Birds', 'Tortoises'] as const

const animals: readonly (readonly [name: string, category: (typeof categories)[number], status?: PetStatus])[] = [
  ['Rex', 'Dogs', 'sold'],
  ['Juno', 'Dogs'],
  ['Biscuit', 'Dogs', 'pending'],
  ['Old Tom', 'Cats'],
  ['Mia', 'Cats', 'sold'],
  ['Señor Whiskers', 'Cats'],
  ['Clover', 'Rabbits'],
  ['Thistle', 'Rabbits', 'pending'],
  ['Pip', 'Guinea pigs'],
  ['Squeak', 'Guinea pigs'],
  ['Hansi', 'Birds'],
  ['Koko 🦜', 'Birds'],
  ['Methuselah', 'Tortoises'],
  ['Ada', 'Dogs'],
  ['Luna', 'Cats'],
]

const insertCategory = statement<{ id: bigint }, [project: ProjectId, name: string]>(
  'insert-demo-category',
  'insert into categories (project_id, name) values ($1, $2) returning id',
)

export function addDemoAnimals(database: Database, project: ProjectId): Promise<void> {
  return inProjectOf(database)(project, async (db: Db) => {
    const ids = new Map<string, bigint>()
    for (const name of categories) {
      const [row] = await db(insertCategory, project, name)
      if (row) ids.set(name, row.id)
    }
    const asks = animals.map(([name, category, status = 'available']) => ({
      project,
      pet: { name, categoryId: ids.get(category) ?? 0n, status },
    }))
    await pets.insert(db, asks)
  })
}
