// The restore of a backup: mails that were sent after it are queued in it again. Held, none of them
// is sent a second time.

import { beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { insertAccount } from '../../src/accounts/account-queries.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase } from '../../src/foundation/postgres/postgres.io.ts'
import { dropMails } from '../../src/mail/outbox-queries.ts'
import { parseConfig } from '../../src/program/config.ts'
import { queueMail } from '../../src/program/mail-kinds.ts'
import { startMail } from '../../src/program/mail.ts'
import { startMailEnvironment, until, type MailEnvironment } from './environment.ts'

const MAILS = 5
let backup: string

beforeAll(async () => {
  // Written and left, so that it can be copied like the files of a server that is stopped.
  const { appUrl, name } = await cloneDatabase()
  const database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
  for (let n = 0; n < MAILS; n++) {
    const id = newId('acc')
    await insertAccount(database.run, { id, email: `person-${n}@shop.example`, name: 'Mia', password: 'none' })
    await database.transaction({}, (db) => queueMail(db, { kind: 'password_changed', recipient: id }))
  }
  await database.close()
  backup = name
})

const start = (on: MailEnvironment, hold: boolean) => {
  const config = parseConfig({
    DATABASE_URL: on.clone.appUrl,
    SMTP_URL: on.relay.url,
    MAIL_FROM: 'no-reply@petstore.example',
    MAIL_HOLD: String(hold),
  })
  return startMail(config, on.database, { pauseMs: 20, onError: (error) => void on.errors.push(error) })
}

test('held, then dropped: no mail of before the restore is sent again, and every later one is', async () => {
  const on = await startMailEnvironment({}, backup)
  expect(start(on, true)).toBeUndefined()
  const later = await on.account('later@shop.example')
  expect(await dropMails(on.database.run, new Date())).toBe(MAILS)
  await on.queue(later)
  const worker = start(on, false)
  await until(async () => (await on.outbox()).every(({ state }) => state !== 'queued'))
  await worker?.stop()
  expect(on.relay.received.map(({ to }) => to)).toEqual(['later@shop.example'])
})

test('not held: every mail is sent again (negative control)', async () => {
  const on = await startMailEnvironment({}, backup)
  const worker = start(on, false)
  await on.relay.arrived(MAILS)
  await worker?.stop()
  expect(on.relay.received).toHaveLength(MAILS)
})
