// Mails about domains, each brought about by what happens to a domain, and read as a mail program
// would: which there are, to whom, and in which words.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMailRelay, type TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { DASHBOARD } from '../../../testbed/harness/platform.ts'
import { insertAccount, type AccountId } from '../../src/accounts/account-queries.ts'
import { edgeCommands } from '../../src/commands/edges.ts'
import { parseConfig, type Config } from '../../src/program/config.ts'
import { addDomain, getDomain, verifyDomain } from '../../src/domains/domains.io.ts'
import { domainWork } from '../../src/domains/jobs.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { statement } from '../../src/foundation/postgres/postgres.io.ts'
import { claimTimers, type Worker } from '../../src/foundation/postgres/timer-leases.io.ts'
import { DAY, HOUR, MINUTE } from '../../src/foundation/time.ts'
import { startMail } from '../../src/program/mail.ts'
import { queueMail } from '../../src/program/mail-kinds.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { setChoice } from '../../src/projects/notification-queries.ts'
import { openEnvironment, type DomainOwner, type DomainsEnvironment } from '../domains/environment.ts'
import { claimTimersOf } from '../foundation/claim-timers.ts'
import { startGoingLive, type GoingLive } from '../domains/going-live.ts'
import { until } from './environment.ts'

let relay: TestRelay
let environment: DomainsEnvironment
let going: GoingLive
let config: Config
let worker: Worker | undefined

beforeAll(async () => {
  relay = await startMailRelay()
  // Timers use the database's clock, so the test's clock starts there.
  environment = await openEnvironment({ at: Date.now() })
  Object.assign(environment.deps, { queueMail })
  going = await startGoingLive(environment)
  config = parseConfig({
    DATABASE_URL: environment.stored.appUrl,
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    DASHBOARD_ORIGIN: DASHBOARD,
    DNS_RESOLVERS: 'none=127.0.0.1:1',
  })
  worker = startMail(config, environment.database, { pauseMs: 20, onError: () => {} })
})
afterAll(async () => {
  await worker?.stop()
  await relay.stop()
  await environment.close()
})

type Shop = DomainOwner & { email: string; adminEmail: string; hostname: string }

let count = 0
/** A project with an owner and an admin, and a hostname that nobody has. */
async function shop({ below = false } = {}): Promise<Shop> {
  count += 1
  const slug = `paws-${count}`
  const owner = await environment.owner(slug)
  const apex = `${slug}.org`
  const joins = async (email: string, role: 'owner' | 'admin') => {
    const account = await insertAccount(environment.database.run, {
      id: newId('acc'),
      email,
      name: 'Mia',
      password: 'no',
    })
    if (!account) throw new Error(email)
    await environment.deps.inProject(owner.project, (db) => insertMember(db, owner.project, account.id, role))
    return account.id
  }
  const email = below ? `mia@${apex}` : `mia-${count}@mail.example`
  const adminEmail = `jonas-${count}@mail.example`
  const account: AccountId = await joins(email, 'owner')
  await joins(adminEmail, 'admin')
  return { ...owner, account, email, adminEmail, hostname: `www.${apex}` }
}

const makeMailsDue = statement<never, []>(
  'test-mails-due',
  `update due_directory
   set due_at = now()
   where kind = 'mail'`,
)
const countWaiting = statement<{ waiting: number }, []>(
  'test-mails-waiting',
  `select count(*)::integer as waiting
   from mail_directory
   where state = 'queued'`,
)

/** Ends the time in which domains join a mail, and waits until all were sent or dropped. */
async function delivered(): Promise<void> {
  await environment.database.run(makeMailsDue)
  await until(async () => (await environment.database.run(countWaiting))[0]?.waiting === 0)
}

/** The mails to an address, oldest first. */
async function mailsTo(address: string) {
  await delivered()
  return Promise.all(relay.received.filter(({ to }) => to === address).map(({ read }) => read()))
}
const subjectsTo = async (address: string) => (await mailsTo(address)).map(({ subject }) => subject)

async function wrong(owner: Shop): Promise<string> {
  const { hostname } = owner
  environment.says(hostname, [`${hostname} CNAME shop.elsewhere.example`])
  return hostname
}
const looksAfter = async (owner: DomainOwner, ms: number) => {
  environment.clock.now += ms
  await environment.looks(owner)
}

test('domain_live: once, to owners and admins', async () => {
  const owner = await shop()
  await going.live(owner, owner.hostname)
  await environment.looks(owner)
  const [mail, ...others] = await mailsTo(owner.email)
  expect(others).toEqual([])
  expect(mail?.subject).toBe(`${owner.hostname} is live`)
  expect(mail?.text).toContain(`https://${owner.hostname}`)
  expect(mail?.text).toContain(`${DASHBOARD}/projects/${owner.slug}/settings/domains/${owner.hostname}`)
  expect(mail?.headers.map(({ key }) => key)).toContain('list-unsubscribe')
  expect(await subjectsTo(owner.adminEmail)).toEqual([mail?.subject])
})

test('domain_alert: what the page says, with the records, once it has lasted; owners cannot turn it off', async () => {
  const owner = await shop()
  const hostname = await wrong(owner)
  await environment.deps.inProject(owner.project, async (db) => {
    await setChoice(db, owner.project, owner.account, 'alerts', 'off')
  })
  const { judgement } = await addDomain(environment.deps, owner, hostname)
  await looksAfter(owner, 9 * MINUTE)
  expect(await subjectsTo(owner.email)).toEqual([])
  await looksAfter(owner, MINUTE)
  await looksAfter(owner, MINUTE)
  const [mail, ...others] = await mailsTo(owner.email)
  expect(others).toEqual([])
  expect(mail?.subject).toBe(`Action required: ${hostname}`)
  expect(mail?.text).toContain(judgement?.troubles[0]?.advice)
  expect(mail?.text).toContain(`${hostname}  CNAME  ${owner.target}`)
  expect(mail?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe')
  const [toAdmin] = await mailsTo(owner.adminEmail)
  expect(toAdmin?.headers.map(({ key }) => key)).toContain('list-unsubscribe')
})

test('domain_alert: a problem that ends before the mail is sent is not mailed, and nothing is restored', async () => {
  const owner = await shop()
  await addDomain(environment.deps, owner, await wrong(owner))
  await looksAfter(owner, 5 * MINUTE)
  await looksAfter(owner, 5 * MINUTE)
  going.point(owner, owner.hostname)
  await environment.looks(owner)
  expect(await subjectsTo(owner.email)).toEqual([])
})

test('domain_restored: a live domain that pointed elsewhere, after its alert', async () => {
  const owner = await shop()
  const { hostname } = owner
  await going.live(owner, hostname)
  await delivered()
  await wrong(owner)
  await looksAfter(owner, HOUR)
  await looksAfter(owner, 10 * MINUTE)
  expect(await subjectsTo(owner.email)).toEqual([`${hostname} is live`, `Action required: ${hostname}`])
  going.point(owner, hostname)
  await looksAfter(owner, 5 * MINUTE)
  await looksAfter(owner, HOUR)
  expect((await subjectsTo(owner.email)).slice(2)).toEqual([`${hostname} works again`])
})

test('domain_reminder: after one day and three, then none', async () => {
  const owner = await shop()
  const { hostname } = owner
  environment.says(hostname, [])
  await addDomain(environment.deps, owner, hostname)
  await looksAfter(owner, 20 * MINUTE)
  expect(await subjectsTo(owner.email)).toEqual([])
  for (let hour = 0; hour < 8 * 24; hour += 12) {
    await looksAfter(owner, 12 * HOUR)
    await delivered()
  }
  const mails = await mailsTo(owner.email)
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill(`${hostname} is not live yet`))
  const { judgement } = await getDomain(environment.deps, owner, hostname)
  expect(mails[0]?.text).toContain(judgement?.troubles[0]?.advice)
})

test('renewal_failing: at a third and a sixth of the lifetime and a day before the end, each once', async () => {
  const owner = await shop()
  const { hostname } = owner
  await going.live(owner, hostname)
  await delivered()
  const { certificate } = await getDomain(environment.deps, owner, hostname)
  if (!certificate) throw new Error('there is a certificate')
  const { notBefore, notAfter, renewAt } = certificate
  environment.clock.now = renewAt + 1000
  going.authority.behaviour.isDown = true
  const failsAt = async (at: number) => {
    environment.clock.now = Math.max(environment.clock.now, at)
    await going.issues(hostname)
    await environment.looks(owner)
    await environment.looks(owner)
    await delivered()
  }
  await failsAt(notAfter - (notAfter - notBefore) / 3 + 1000)
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(notAfter)
  const subject = `The certificate of ${hostname} expires on ${day}`
  expect((await subjectsTo(owner.email)).slice(1)).toEqual([subject])
  await failsAt(notAfter - (notAfter - notBefore) / 6 + 1000)
  await failsAt(notAfter - DAY + 1000)
  await failsAt(notAfter - HOUR)
  going.authority.behaviour.isDown = false
  const mails = (await mailsTo(owner.email)).slice(1)
  expect(mails.map((mail) => mail.subject)).toEqual([subject, subject, subject])
  expect(mails[0]?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe')
  expect(await subjectsTo(owner.adminEmail)).toEqual([`${hostname} is live`])
})

test('domain_moved: to the owners of the project that lost it, and to admins if these are cut off', async () => {
  const [former, cutOff, taker] = [await shop(), await shop({ below: true }), await shop()]
  for (const loser of [former, cutOff]) {
    const { hostname } = loser
    going.point(loser, hostname)
    expect((await addDomain(environment.deps, loser, hostname)).row.ownership).toBe('proven')
    const { row } = await addDomain(environment.deps, taker, hostname)
    const proof = `_petstore.${hostname} TXT ${row.token}`
    environment.says(hostname, [`${hostname} CNAME ${taker.target}`, `${taker.target} A 192.0.2.10`, proof])
    await verifyDomain(environment.deps, taker, hostname)
    expect(await subjectsTo(loser.email)).toEqual([`${hostname} was moved to another project`])
  }
  expect(await subjectsTo(former.adminEmail)).toEqual([])
  expect(await subjectsTo(cutOff.adminEmail)).toEqual([`${cutOff.hostname} was moved to another project`])
  expect(await subjectsTo(taker.email)).toEqual([])
})

describe('edge_addresses_change', () => {
  const announce = async (from: string) => {
    const printed: string[] = []
    const context = () => ({
      config,
      print: (text: string) => void printed.push(text),
      invalid: (why: string) => new Error(why),
    })
    const words = ['announce', '--addresses', '192.0.2.20,2001:db8::20', '--from', from, '--json']
    await edgeCommands(context).parseAsync(words, { from: 'user' })
    return JSON.parse(printed.join('\n')) as object
  }
  const dayIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

  test('edge_addresses_change: to the owners of domains with address records, once', async () => {
    const owner = await shop()
    const apex = `${owner.slug}.org`
    environment.says(apex, [])
    const { row } = await addDomain(environment.deps, owner, apex)
    const records = [`${apex} A 192.0.2.10`, `${apex} AAAA 2001:db8::10`, `_petstore.${apex} TXT ${row.token}`]
    environment.says(apex, records)
    await verifyDomain(environment.deps, owner, apex)

    await expect(announce(dayIn(29))).rejects.toThrow('at least 30 days')
    await expect(announce('1 June')).rejects.toThrow('--from takes a day')
    const from = dayIn(40)
    expect(await announce(from)).toMatchObject({ projects: 1, domains: 1, mails: 1 })
    expect(await announce(from)).toMatchObject({ projects: 0, domains: 0, mails: 0 })
    const [mail, ...others] = await mailsTo(owner.email)
    expect(others).toEqual([])
    expect(mail?.subject).toMatch(/^Change two DNS records before \d+ \w+$/)
    expect(mail?.text).toContain(`${apex}  A  192.0.2.20`)
    expect(mail?.text).toContain(`${apex}  AAAA  2001:db8::20`)
    expect(await subjectsTo(owner.adminEmail)).toEqual([])
  })
})

test('thirty changes within an hour cause at most two mails', async () => {
  const owner = await shop()
  const { hostname } = owner
  const states = [
    [`${hostname} CNAME shop.elsewhere.example`],
    [`${hostname} A 198.51.100.7`],
    [`${hostname} CNAME petstore.example`],
    [`${hostname} CNAME ${owner.target}`, `${owner.target} A 192.0.2.10`],
  ]
  environment.says(hostname, states[0] ?? [])
  await addDomain(environment.deps, owner, hostname)
  for (let change = 0; change < 30; change++) {
    environment.says(hostname, states[change % states.length] ?? [])
    await looksAfter(owner, 2 * MINUTE)
  }
  expect((await subjectsTo(owner.email)).length).toBeLessThanOrEqual(2)
})

test('domains of a project share a mail if they have the same cause, and not otherwise (negative control)', async () => {
  const [same, different] = [await shop(), await shop()]
  const work = domainWork(environment.deps)
  const checks = async (owner: DomainOwner) => {
    for (const due of await environment.database.run(claimTimersOf, 'domain', owner.project)) await work.work(due)
  }
  for (const owner of [same, different]) {
    const other = `shop.${owner.slug}.org`
    const isSame = owner === same
    environment.says(other, [isSame ? `${other} CNAME shop.elsewhere.example` : `${other} A 198.51.100.7`])
    await addDomain(environment.deps, owner, await wrong(owner))
    await addDomain(environment.deps, owner, other)
    environment.clock.now += 10 * MINUTE
    await checks(owner)
  }
  expect(await subjectsTo(same.email)).toEqual(['Action required: 2 domains'])
  const alone = [`Action required: shop.${different.slug}.org`, `Action required: ${different.hostname}`]
  const mailed = await subjectsTo(different.email)
  expect(mailed).toHaveLength(2)
  expect(new Set(mailed)).toEqual(new Set(alone))
})

const DOMAINS = 100

const addMany = statement<never, [project: bigint, like: string, since: Date, count: number]>(
  'test-many-domains',
  `with added as (
     insert into domains (project_id, id, hostname, token, token_generation, ownership, routing, added_at, asked_at,
       next_look_at, looked_at, cause, cause_severity, problem, problem_since, problem_checks)
     select project_id, 'dom_' || lpad(to_hex(number), 24, '0'), 'shop-' || number || '.' || hostname, token, 0,
       ownership, routing, added_at, asked_at, next_look_at, looked_at, cause, cause_severity, problem, $3, 1
     from domains, generate_series(1, $4) as number
     where project_id = $1 and id = $2
     returning project_id, id
   )
   insert into due_directory (kind, project_id, id, due_at)
   select 'domain', project_id, id, now() - interval '1 day'
   from added`,
)

test(`${DOMAINS} domains with one cause cause one mail`, async () => {
  const owner = await shop()
  const { row } = await addDomain(environment.deps, owner, await wrong(owner))
  await looksAfter(owner, MINUTE)
  const since = new Date(environment.clock.now - 10 * MINUTE)
  await environment.deps.inProject(owner.project, (db) => db(addMany, owner.project, row.id, since, DOMAINS))
  for (let number = 1; number <= DOMAINS; number++) {
    const hostname = `shop-${number}.${owner.hostname}`
    environment.says(hostname, [`${hostname} CNAME shop.elsewhere.example`])
  }
  const work = domainWork(environment.deps)
  const due = await claimTimers(environment.database.run, 'domain', DOMAINS, 600)
  expect(due.length).toBe(DOMAINS)
  const next = due.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const timer of next) await work.work(timer)
    }),
  )
  const [mail, ...others] = await mailsTo(owner.email)
  expect(others).toEqual([])
  expect(mail?.subject).toBe(`Action required: ${DOMAINS} domains`)
  expect(mail?.text).toContain(`And ${DOMAINS - 5} more`)
})

test('an installation without a relay queues nothing and remembers nothing', async () => {
  const owner = await shop()
  const deps = { ...environment.deps, queueMail: undefined }
  const hostname = await wrong(owner)
  await addDomain(deps, owner, hostname)
  environment.clock.now += 20 * MINUTE
  const { row } = await verifyDomain(deps, owner, hostname)
  expect(row).toMatchObject({ cause: 'dns.cname_wrong', problem: null, wasAlerted: false })
})
