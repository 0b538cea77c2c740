// Test databases: each is cloned from the migrated template, and dropped with the whole server when the run ends.

import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE } from './global-setup.ts'

export type TestDatabase = { name: string; ownerUrl: string; appUrl: string }

const urlOf = (role: string, name: string) => `postgresql://${role}@127.0.0.1:${inject('postgresPort')}/${name}`

/**
 * Longer than the deadlines of production: a shared machine can stall for seconds, and a test that is not about
 * deadlines must not fail by them. A lock is given up before PostgreSQL ends an idle transaction that holds it.
 */
const PATIENT = [
  'connect_timeout=5',
  'statement_timeout=60000',
  'lock_timeout=2500',
  'query_timeout=70000',
  'idle_in_transaction_session_timeout=60000',
].join('&')

export const withRealDeadlines = (appUrl: string): string => appUrl.replace(`?${PATIENT}`, '')

/** Of the migrated template, or of a database that no client is connected to. */
export async function cloneDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const client = new pg.Client({ connectionString: urlOf('petstore_owner', 'postgres') })
  await client.connect()
  try {
    // Concurrent clones of one template wait for each other here; PostgreSQL would reject the second.
    await client.query('select pg_advisory_lock(1)')
    await client.query(`create database ${name} template ${template}`)
  } finally {
    await client.end()
  }
  return { name, ownerUrl: urlOf('petstore_owner', name), appUrl: `${urlOf('petstore_app', name)}?${PATIENT}` }
}

/** Runs statements as the owner of the tables, who is subject to row-level security like every other role. */
export async function asOwner<T>({ ownerUrl }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
