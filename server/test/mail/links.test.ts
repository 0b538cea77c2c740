// Of the links of one mail, of one request to sign up or of one invitation, the newest three work: a mail is sent again
// when it is unknown whether it has arrived.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount, type AccountId } from '../../src/accounts/account-queries.ts'
import { accountOfLink, insertLink, type NewLink } from '../../src/accounts/links/link-queries.ts'
import { findSignUpLink, insertSignUpRequest } from '../../src/accounts/links/sign-up-queries.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { findInvitation } from '../../src/projects/directory.io.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'

let database: Database

beforeAll(async () => {
  database = openDatabase({ url: (await cloneDatabase()).appUrl, poolMax: 2, onError: () => {} })
})
afterAll(() => database.close())

/** Two mails, requests or invitations of a kind, and whether one of their links works. */
type Kind = { one: NewLink; other: NewLink; works: (digest: Buffer) => Promise<boolean> }

async function linksOfAccount(): Promise<Kind> {
  const account = newId('acc') as AccountId
  const email = `${account}@petstore.example`
  await insertAccount(database.run, { id: account, email, name: 'Mia', password: '' })
  const link = { purpose: 'recovery', account, email } as const
  const works = async (digest: Buffer) => (await accountOfLink(database.run, digest, 'recovery')) === account
  return { one: { ...link, mail: newId('mail') }, other: { ...link, mail: newId('mail') }, works }
}

async function linksOfSignUps(): Promise<Kind> {
  const request = async () => {
    const id = newId('sup')
    await insertSignUpRequest(database.run, { id, email: `${id}@petstore.example`, isInvited: false, hours: 1 })
    return { purpose: 'sign_up', request: id, mail: newId('mail') } as const
  }
  const works = async (digest: Buffer) => (await findSignUpLink(database.run, digest)) !== undefined
  return { one: await request(), other: await request(), works }
}

async function linksOfInvitations(): Promise<Kind> {
  const link = () => ({ purpose: 'invitation', project: 1n, invitation: newId('inv') }) as const
  const works = async (digest: Buffer) => (await findInvitation(database.run, digest)) !== undefined
  return { one: link(), other: link(), works }
}

test.each([
  ['an account', linksOfAccount],
  ['a request to sign up', linksOfSignUps],
  ['an invitation', linksOfInvitations],
])('the newest three links of %s work, and those of another stay', async (_, create) => {
  const { one, other, works } = await create()
  const inserted = async (link: NewLink) => {
    const digest = randomBytes(32)
    await insertLink(database.run, digest, link)
    return digest
  }
  const another = await inserted(other)
  const digests: Buffer[] = []
  for (let count = 0; count < 4; count += 1) digests.push(await inserted(one))
  expect(await Promise.all([...digests, another].map(works))).toEqual([false, true, true, true, true])
})
