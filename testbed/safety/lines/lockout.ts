// Strangers who guess the password of an owner from very many addresses cannot keep her out, and few of their guesses are
// compared. Hours pass where the counters are emptied, as a crash of PostgreSQL would empty them as well.

import pg from 'pg'
import { parseConfig } from '../../../server/src/program/config.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { startWork } from '../../../server/src/program/work.ts'
import { startMailRelay } from '../../harness/mail-relay.ts'
import { createClient, createOwner, inParallel, strangerAddress, waysIn } from '../clients.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { startProcesses } from '../processes.ts'

const tiers = {
  small: { attempts: 240, groups: 100, processes: 2, signIns: 6, perAccount: 4, mostMs: 30_000 },
  large: { attempts: 10_000, groups: 1_000, processes: 4, signIns: 100, perAccount: 20, mostMs: 2_000 },
}
/** One more than passwords need to be off: the last one compares nothing. */
const HOURS = 6

export const safetyLine: SafetyLine = {
  title: 'Strangers who guess passwords lock no owner out',
  sizes: { small: '240 guesses, 2 processes', large: '10,000 guesses, 4 processes' },
  guards: [{ name: 'own-allowances', instead: 'one counter per account', isQuick: false }],
  run,
}

async function run({ tier, without, createDatabase, report }: SafetyRun): Promise<void> {
  const { attempts, groups, processes: count, signIns, perAccount, mostMs } = tiers[tier]
  const { appUrl, ownerUrl } = await createDatabase()
  const relay = await startMailRelay()
  const env = {
    DATABASE_URL: appUrl,
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    RATE_LIMIT_SIGN_INS_PER_ACCOUNT: String(perAccount),
    RATE_LIMIT_PER_VISITOR: '1000000',
  }
  const seam = without === 'own-allowances' ? 'counter-per-account' : undefined
  const processes = await startProcesses({ count, tier, env, seam })
  const work = await startWork(parseConfig({ ...env, DASHBOARD_ORIGIN: 'https://api.petstore.example' }), {
    pauseMs: 20,
  })
  const database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
  const operator = new pg.Client({ connectionString: ownerUrl })
  await operator.connect()
  const client = createClient(16)
  const originOf = (n: number) => processes.origins[n % count] ?? ''
  try {
    const owner = await createOwner({ post: client.post, database, relay }, originOf(0))
    const guess = (n: number) =>
      client.post(
        originOf(n),
        '/session',
        { email: owner.email, password: `guess ${n}` },
        { 'X-Forwarded-For': strangerAddress(n % groups) },
      )
    const perHour = Math.floor(attempts / (HOURS + 1))
    for (let hour = 0; hour < HOURS; hour++) {
      await inParallel(8, perHour, (n) => guess(hour * perHour + n))
      await operator.query('truncate rate_directory')
    }
    const attack = inParallel(8, attempts - HOURS * perHour, (n) => guess(HOURS * perHour + n))
    const times: number[] = []
    for (let n = 0; n < signIns; n++) {
      const way = waysIn[n % waysIn.length] ?? 'passkey'
      // One link is mailed in fifteen minutes; as if they had passed.
      await operator.query('delete from mail_counts')
      const startedAt = performance.now()
      const answer = await owner.signIn(way, originOf(n))
      times.push(performance.now() - startedAt)
      must(answer.status === 200, `sign-in ${n + 1} of ${signIns}, by ${way}: ${answer.status} ${answer.text}`)
    }
    await attack
    const compared = processes.lines.filter(
      (line) => line.includes('"wrong_credentials"') && line.includes(owner.id),
    ).length
    const slowestMs = Math.round(Math.max(...times))
    report({
      attempts,
      groups,
      processes: count,
      'owner signed in': `${signIns} of ${signIns}`,
      'slowest (ms)': slowestMs,
      'guesses compared': compared,
    })
    must(compared <= 6 * perAccount, `${compared} guesses were compared; at most ${6 * perAccount} are allowed`)
    must(compared > 0, 'no guess was compared: there was no attack')
    must(slowestMs < mostMs, `the slowest sign-in took ${slowestMs} ms`)
  } finally {
    client.close()
    await operator.end()
    await database.close()
    await work.stop()
    await processes.stop()
    await relay.stop()
  }
}
