// Tests of the configuration for ordering certificates: nothing without keys, four fifths of the
// rate limits that an authority grants, half of that for renewals, and only configured authorities.

import { expect, test } from 'vitest'
import { certificateDepsOf } from './certificates.ts'
import { contextOf } from './context.ts'
import { newKeyPem } from '../certificates/key-encryption.io.ts'
import { parseConfig } from './config.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'

const KEYS = `first=${Buffer.alloc(32, 1).toString('base64')}`
const unexpected = () => Promise.reject(new Error('nothing is asked of it'))
const database: Database = { run: unexpected, transaction: unexpected, listen: unexpected, close: unexpected }

const depsOf = (changes: Record<string, string>) =>
  certificateDepsOf(contextOf(parseConfig({ DATABASE_URL: 'postgresql://', ...changes }), database, { now: () => 0 }))

test('without keys no certificate is ordered', () => {
  expect(depsOf({})).toBeUndefined()
})

test.each([
  ['300', 240, 120],
  ['301', 240, 120],
  ['10', 8, 4],
  ['1', 1, 0],
])('of %s orders in three hours %i are used, and %i of them for renewals only', (granted, perWindow, forRenewals) => {
  const { allowance } = depsOf({ CERTIFICATE_KEYS: KEYS, ACME_ORDERS_PER_3_HOURS: granted }) ?? {}
  expect(allowance).toMatchObject({ perWindow, forRenewals })
})

test('an authority that is not configured is not used', () => {
  const account = { keyPem: newKeyPem(), url: null }
  const directories = 'one.example=https://one.example/dir, two.example=https://two.example/dir'
  const deps = depsOf({ CERTIFICATE_KEYS: KEYS, ACME_DIRECTORIES: directories })
  expect(deps?.openAcme('two.example', account)?.authority).toBe('two.example')
  expect(deps?.openAcme('letsencrypt.org', account)).toBeUndefined()
})
