// An installation that sends mail: the service, its background work, and a relay that keeps what
// it accepts. It ends with the test file.

import type { Email } from 'postal-mime'
import { vi } from 'vitest'
import { atEnd } from '../../../testbed/harness/at-end.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { startMailRelay, type TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { DASHBOARD } from '../../../testbed/harness/platform.ts'
import { parseConfig, type Config } from '../../src/program/config.ts'
import { startWork } from '../../src/program/work.ts'
import { startPeople, type People } from '../platform/people.ts'

export type MailInstallation = {
  relay: TestRelay
  people: People
  config: Config
  /** Queries the database as its owner. */
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>
  mailsTo: (email: string) => Promise<Email[]>
  /** Waits for the mail with this subject. */
  mailTo: (email: string, subject: string) => Promise<Email>
  /** The secrets of all links to this page. */
  secretsIn: (email: string, page: string) => Promise<string[]>
  /** Waits for the secret of a link to this page. */
  secretFor: (email: string, page: string) => Promise<string>
  /** Waits until every mail that was queued has been sent, or has ended otherwise. */
  nothingQueued: () => Promise<unknown>
  /** Stops the background work for as long as the given work takes. */
  withoutWork: <T>(meanwhile: () => Promise<T>) => Promise<T>
  newAddress: () => string
}

const patience = { timeout: 30_000, interval: 20 }

export const OPERATOR = 'operator@petstore.example'

export async function startMailInstallation(
  more: Record<string, string> = {},
  given?: TestRelay,
): Promise<MailInstallation> {
  const relay = given ?? (await startMailRelay())
  const env = {
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    DASHBOARD_ORIGIN: DASHBOARD,
    DNS_RESOLVERS: 'none=127.0.0.1:1',
    OPERATOR_EMAIL: OPERATOR,
    ...more,
  }
  const people = await startPeople({ env })
  const config = parseConfig({ ...env, PORT: '0', DATABASE_URL: people.test.database.appUrl })
  const start = () => startWork(config, { pauseMs: 20 })
  let work = await start()
  atEnd(async () => {
    await work.stop()
    await relay.stop()
  })

  const query: MailInstallation['query'] = (text, values = []) =>
    asOwner(people.test.database, async (client) => (await client.query(text, values)).rows)
  const mailsTo = (email: string) =>
    Promise.all(relay.received.filter(({ to }) => to === email).map(({ read }) => read()))
  const secretsIn = async (email: string, page: string) =>
    (await mailsTo(email)).flatMap(({ text = '' }) => secretIn(text, page))
  let addresses = 0
  return {
    relay,
    people,
    config,
    query,
    mailsTo,
    mailTo: (email, subject) =>
      vi.waitUntil(async () => (await mailsTo(email)).find((mail) => mail.subject === subject), patience),
    secretsIn,
    secretFor: (email, page) => vi.waitUntil(async () => (await secretsIn(email, page))[0], patience),
    nothingQueued: () =>
      vi.waitUntil(
        async () => (await query(`select from mail_directory where state = 'queued'`)).length === 0,
        patience,
      ),
    async withoutWork(meanwhile) {
      await work.stop()
      const result = await meanwhile()
      work = await start()
      return result
    },
    newAddress: () => `address-${(addresses += 1)}@shop.example`,
  }
}

const secretIn = (text: string, page: string): string[] =>
  new RegExp(`${DASHBOARD}${page}#([\\w-]{43})$`, 'm').exec(text)?.slice(1) ?? []
