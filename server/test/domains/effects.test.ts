// Effects of other events on domains: the project's plan changes, the project is deleted, or
// our own check of a new domain fails. Each takes effect immediately and automatically.

import type { Domain, DomainEvent } from '@petstore-platform/contract/platform/domain-shapes'
import { beforeAll, expect, test } from 'vitest'
import * as directory from '../../src/domains/store/directory.io.ts'
import { domainsPath, startDomainOwners, type DomainOwners } from './owners.ts'
import type { PlatformOwner } from '../../../testbed/harness/platform.ts'
import { runProgram } from '../../../testbed/harness/process.ts'

let owners: DomainOwners
beforeAll(async () => {
  owners = await startDomainOwners()
})

const get = async (owner: PlatformOwner, hostname: string) =>
  (await owner.send('GET', domainsPath(owner, `/${hostname}`))).json as Domain
const holderOf = async (hostname: string) =>
  (await directory.findHolding(owners.people.test.service.database.run, hostname)).holder?.project

async function verified(owner: PlatformOwner, hostname: string): Promise<void> {
  owners.dns.tell(hostname, [`${hostname} CNAME ${owner.slug}.petstore.example`])
  const answer = await owner.send('POST', domainsPath(owner), { hostname })
  expect(answer.json, `it says ${answer.text}`).toMatchObject({ status: 'issuing' })
}

async function setPlan({ slug }: PlatformOwner, plan: string): Promise<void> {
  const { appUrl } = owners.people.test.database
  const { ended } = runProgram(['plans', 'set', '--project', slug, '--plan', plan], { DATABASE_URL: appUrl })
  const { code, errors } = await ended
  expect([code, errors]).toEqual([0, ''])
}

test('a plan below pro pauses every domain at once, and one that includes domains resumes them', async () => {
  const owner = await owners.ready('payer')
  const names = ['www.payer.com', 'shop.payer.com']
  for (const name of names) await verified(owner, name)
  await setPlan(owner, 'free')
  for (const name of names) {
    expect(await get(owner, name)).toMatchObject({ status: 'paused', rootCause: { code: 'plan.lapsed' } })
  }
  await setPlan(owner, 'enterprise')
  for (const name of names) expect(await get(owner, name)).toMatchObject({ status: 'issuing' })
  const history = (await owner.send('GET', domainsPath(owner, '/www.payer.com/history'))).json as DomainEvent[]
  expect(history.map(({ kind }) => kind).slice(0, 2)).toEqual(['domain.resumed', 'domain.paused'])
})

test('a change between two plans that include domains changes nothing about them', async () => {
  const owner = await owners.ready('upgrader')
  await verified(owner, 'www.upgrader.com')
  const before = await get(owner, 'www.upgrader.com')
  await setPlan(owner, 'enterprise')
  expect(await get(owner, 'www.upgrader.com')).toEqual(before)
})

test('all hostnames of a deleted project are free at once, and other projects can take them', async () => {
  const owner = await owners.ready('leaver')
  const names = ['www.leaver.com', 'shop.leaver.com']
  for (const name of names) await verified(owner, name)
  expect((await owner.send('DELETE', '/projects/leaver', { slug: 'leaver' })).status).toBe(204)
  for (const name of names) expect(await holderOf(name)).toBeUndefined()
  const next = await owners.ready('newcomer')
  await verified(next, 'www.leaver.com')
  expect(await holderOf('www.leaver.com')).toBe(next.project)
})

test('a first check that fails by our own fault does not fail Add domain: the records are shown all the same', async () => {
  const owner = await owners.ready('unlucky')
  // The test scripted no DNS for it, so the check throws.
  const answer = await owner.send('POST', domainsPath(owner), { hostname: 'www.unlucky.com' })
  expect(answer.status, `it says ${answer.text}`).toBe(201)
  const domain = answer.json as Domain
  expect(domain).toMatchObject({ status: 'verifying', rootCause: { code: 'step.first_look' }, evidence: [] })
  expect(domain.records).toMatchObject([{ type: 'CNAME', value: 'unlucky.petstore.example' }])
  expect(domain.propagation?.note).toContain('up to 48 hours')
  expect(domain.nextCheckAt).not.toBeNull()
  const logged = owners.people.test.logs.filter((line) => line.includes('first check of a domain failed'))
  expect(logged).toEqual([expect.stringContaining('www.unlucky.com')])

  owners.dns.tell('www.unlucky.com', [])
  const again = await owner.send('POST', domainsPath(owner, '/www.unlucky.com/verify'))
  expect(again.json).toMatchObject({ status: 'pending_dns' })
})
