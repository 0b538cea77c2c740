// The migration to the keys of addresses: spellings of one address become one account, and the others ask for another
// address; every key is then the one that the program computes.

import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/foundation/postgres/migrate.io.ts'
import { addressKey } from '../../src/foundation/smtp/address-key.ts'

const directory = join(import.meta.dirname, '../../migrations')
const KEYS = '0042-address-keys.sql'

async function folderOf(isWanted: (name: string) => boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of await readdir(directory)) if (isWanted(name)) await cp(join(directory, name), join(folder, name))
  return folder
}

const accounts = [
  { n: 1, email: 'mia@shop.example', isVerified: true },
  { n: 2, email: 'Mia@shop.example.', isVerified: true },
  { n: 3, email: 'jo@bücher.example', isVerified: false },
  { n: 4, email: 'jo@xn--bcher-kva.example', isVerified: true },
  { n: 5, email: 'li@例え.テスト.example', isVerified: true },
  { n: 6, email: 'ana@straße-und-weg.example', isVerified: true },
  { n: 7, email: 'zoë@παράδειγμα.example', isVerified: false },
  { n: 8, email: 'ghost\u200b@shop.example', isVerified: false },
]
const idOf = (n: number) => `acc_${String(n).padStart(24, '0')}`

test('of two spellings the verified, then the older account keeps the address, and every key is that of the program', async () => {
  const name = `keys_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const urlOf = (of: string) => `postgresql://petstore_owner@127.0.0.1:${inject('postgresPort')}/${of}`
  const maker = new pg.Client(urlOf('postgres'))
  await maker.connect()
  await maker.query(`create database ${name}`)
  await maker.end()
  await migrate(urlOf(name), { directory: await folderOf((file) => file < KEYS) })

  const owner = new pg.Client(urlOf(name))
  await owner.connect()
  for (const { n, email, isVerified } of accounts) {
    await owner.query(
      `insert into accounts (id, email, email_key, name, password, verified_at, created_at)
       values ($1, $2, $3, 'Mia', 'none', case when $4::boolean then now() end, now() + make_interval(secs => $5))`,
      [idOf(n), email, email.normalize('NFKC').toLowerCase(), isVerified, n],
    )
  }
  await migrate(urlOf(name), { directory: await folderOf((file) => file <= KEYS) })
  const { rows } = await owner.query<{ id: string; email: string; email_key: string }>(
    'select id, email, email_key from accounts order by id',
  )
  const { rows: moved } = await owner.query<{ id: string }>(
    `select account_id as id from account_audit where action = 'email_moved' order by account_id`,
  )
  await owner.end()
  expect(moved.map(({ id }) => id)).toEqual([idOf(2), idOf(3), idOf(8)])
  expect(rows.map(({ email }) => email)).toEqual(
    accounts.map(({ n, email }) => ([2, 3, 8].includes(n) ? `${idOf(n)}@moved.invalid` : email)),
  )
  for (const { email, email_key: key } of rows) expect(key).toBe(addressKey(email))
})
