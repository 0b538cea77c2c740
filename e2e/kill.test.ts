// Crash safety: the service is killed repeatedly while clients add many animals.
// - An animal whose creation was acknowledged is stored exactly once.
// - A client without a response retries with the same Idempotency-Key, and its animal is
//   stored exactly once.

import { Agent } from 'node:http'
import { expect, test } from 'vitest'
import { parseConfig } from '../server/src/program/config.ts'
import { openDatabase } from '../server/src/foundation/postgres/postgres.io.ts'
import { createKey } from '../server/src/projects/api-keys.io.ts'
import { createProject } from '../server/src/projects/projects.io.ts'
import { contextOf } from '../server/src/program/context.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../testbed/harness/database.ts'
import { exchange, type Received } from '../testbed/harness/http.ts'
import { runProgram } from '../testbed/harness/process.ts'

const ROUNDS = 6
const CONNECTIONS = 32

/** An animal to be created; its name is unique, so it can be counted. */
type NewAnimal = { name: string; key: string | undefined; id?: number }

test(`after ${ROUNDS} rounds of SIGKILL under ${CONNECTIONS} connections, every acknowledged animal, and every one with an Idempotency-Key, is stored exactly once`, async () => {
  const database = await cloneDatabase()
  const env = environment(database)
  const { project, key } = await settle(env)
  const animals: NewAnimal[] = []
  let unanswered: NewAnimal[] = []
  const tally = { acknowledged: 0, unanswered: 0, retried: 0, replayed: 0, busy: 0, shed: 0 }

  const sendOnce = (origin: string, { name, key: idempotencyKey }: NewAnimal, agent: Agent): Promise<Received> =>
    exchange(
      origin,
      {
        method: 'POST',
        path: '/v1/pets',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        },
        body: JSON.stringify({ name, categoryId: 1 }),
      },
      agent,
    )
  const send = async (origin: string, animal: NewAnimal, agent: Agent): Promise<Received> => {
    let response = await sendOnce(origin, animal, agent)
    // On a slow machine these are too many requests at once. The connection is read again after its Retry-After.
    for (; response.status === 503; response = await sendOnce(origin, animal, agent)) tally.shed += 1
    return response
  }
  const acknowledge = (animal: NewAnimal, response: Received) => {
    expect(response.status).toBe(201)
    const { id, name } = response.json as { id: number; name: string }
    expect(name).toBe(animal.name)
    animal.id = id
    tally.acknowledged += 1
  }

  for (let round = 0; round <= ROUNDS; round++) {
    const program = runProgram(['serve'], env)
    const origin = `http://127.0.0.1:${await program.port}`
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

    // First, retry the requests that the last process left without a response, with the same key.
    const again = unanswered.filter(({ key: used }) => used !== undefined)
    unanswered = []
    await Promise.all(
      again.map(async (animal) => {
        tally.retried += 1
        let response = await send(origin, animal, agent)
        // PostgreSQL may not have noticed yet that the process which locked the key is gone.
        for (; response.status === 409; response = await send(origin, animal, agent)) tally.busy += 1
        if (response.headers['idempotent-replayed'] === 'true') tally.replayed += 1
        acknowledge(animal, response)
      }),
    )

    // The last process only handles the remaining retries.
    if (round < ROUNDS) {
      const before = tally.acknowledged
      const killAt = before + 150 + round * 61
      const clients = Array.from({ length: CONNECTIONS }, async (_, client) => {
        for (let turn = 0; ; turn++) {
          const animal: NewAnimal = {
            name: `${round}-${client}-${turn}`,
            key: (client + turn) % 2 === 0 ? crypto.randomUUID() : undefined,
          }
          animals.push(animal)
          const response = await send(origin, animal, agent).catch(() => undefined)
          if (!response) {
            unanswered.push(animal)
            return
          }
          acknowledge(animal, response)
          if (tally.acknowledged === killAt) program.end('SIGKILL')
        }
      })
      await Promise.all(clients)
      expect(unanswered).toHaveLength(CONNECTIONS)
      tally.unanswered += unanswered.length
    } else {
      program.end('SIGTERM')
    }
    agent.destroy()
    const { code, signal } = await program.ended
    expect([code, signal]).toEqual(round < ROUNDS ? [null, 'SIGKILL'] : [0, null])
  }

  const stored = await storedIds(database, project)
  const faults: string[] = []
  let added = 0
  for (const { name, id, key: used } of animals) {
    const ids = stored.get(name) ?? []
    if (ids.length > 1) faults.push(`${name} is there ${ids.length} times`)
    if (id !== undefined && ids[0] !== id) faults.push(`${name} was acknowledged as ${id}, and ${ids[0]} is there`)
    if (used !== undefined && ids.length !== 1) faults.push(`${name}, with a key, is there ${ids.length} times`)
    if (id === undefined) added += ids.length
    stored.delete(name)
  }
  process.stdout.write(
    `kill: ${ROUNDS} kills; ${animals.length} animals wanted, ${tally.acknowledged} acknowledged, ${tally.unanswered} left unanswered; ` +
      `${tally.retried} tried again with their key, of which ${tally.replayed} had been added (${tally.busy} answers 409 meanwhile); ` +
      `of those without a key ${added} had been added; ${tally.shed} rejected for overload; ${faults.length} missing or twice\n`,
  )
  expect(faults).toEqual([])
  expect([...stored.keys()]).toEqual([])
  expect(tally.acknowledged).toBeGreaterThan(ROUNDS * 150)
  expect(tally.retried).toBeGreaterThan(ROUNDS)
})

function environment({ appUrl }: TestDatabase): Record<string, string> {
  return {
    PORT: '0',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_KEY: '100000000',
    RATE_LIMIT_PER_PROJECT: '100000000',
    DATABASE_URL: appUrl,
  }
}

async function settle(env: Record<string, string>) {
  const config = parseConfig(env)
  const database = openDatabase({ url: config.databaseUrl.reveal(), poolMax: 1, onError: () => {} })
  const project = await createProject(database, { slug: 'killed', name: 'Killed' })
  const { key } = await createKey(contextOf(config, database), project, { label: 'test' })
  await database.close()
  return { project, key }
}

async function storedIds(database: TestDatabase, project: bigint): Promise<Map<string, number[]>> {
  return asOwner(database, async (client) => {
    await client.query(`select set_config('petstore.projects', '{${project}}', false)`)
    const { rows } = await client.query<{ name: string; ids: string[] }>(
      'select name, array_agg(id::text) as ids from pets group by name',
    )
    return new Map(rows.map(({ name, ids }) => [name, ids.map(Number)]))
  })
}
