// A limit does not grow with the number of processes: counters of attempts admit exactly as much with four as with one,
// and quotas of requests at most one second of traffic more.

import { setTimeout as pause } from 'node:timers/promises'
import { exchange } from '../../harness/http.ts'
import { createClient, inParallel, strangerAddress, type Post } from '../clients.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { startProcesses } from '../processes.ts'
import { keysOf } from '../shop-keys.ts'

const tiers = {
  /** A busy machine may delay the exchange of counts by another second. */
  small: { perAddress: 3, perAccount: 4, attempts: 30, perKey: 60, perSecond: 60, seconds: 4, overSeconds: 2 },
  large: { perAddress: 30, perAccount: 20, attempts: 400, perKey: 600, perSecond: 600, seconds: 8, overSeconds: 1 },
}
type Figures = (typeof tiers)['small']

export const safetyLine: SafetyLine = {
  title: 'No limit grows with the number of processes',
  sizes: { small: '30 attempts, 4 s of requests', large: '400 attempts, 8 s of requests' },
  guards: [{ name: 'shared-counters', instead: 'counters in the memory of each process', isQuick: false }],
  run,
}

async function run(options: SafetyRun): Promise<void> {
  const { tier, report } = options
  const figures = tiers[tier]
  const [one, four] = [await admittedBy(1, options), await admittedBy(4, options)]
  report({ 'admitted by one process': shown(one), 'by four': shown(four) })
  const expected = {
    'passwords for one account': figures.perAccount,
    'passwords from one address': figures.perAddress,
    'passkeys from one address': 2 * figures.perAddress,
    'recoveries from one address': figures.perAddress,
  }
  for (const [what, most] of Object.entries(expected)) {
    must(one.attempts[what] === most, `one process admits ${one.attempts[what]} ${what} instead of ${most}`)
    must(four.attempts[what] === most, `four processes admit ${four.attempts[what]} ${what} instead of ${most}`)
  }
  const { perKey, perSecond, overSeconds } = figures
  must(one.requests === perKey, `one process admits ${one.requests} requests of a key instead of ${perKey}`)
  const most = perKey + overSeconds * perSecond
  must(four.requests >= perKey, `four processes admit ${four.requests} requests of a key; the quota is ${perKey}`)
  must(four.requests <= most, `four processes admit ${four.requests} requests of a key; at most ${most} are allowed`)
}

type Admitted = { attempts: Record<string, number>; requests: number }

const shown = ({ attempts, requests }: Admitted) => [...Object.values(attempts), requests].join(' ')

async function admittedBy(count: number, { tier, without, createDatabase }: SafetyRun): Promise<Admitted> {
  const { appUrl } = await createDatabase()
  const figures = tiers[tier]
  const env = {
    DATABASE_URL: appUrl,
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: String(figures.perAddress),
    RATE_LIMIT_SIGN_INS_PER_ACCOUNT: String(figures.perAccount),
    RATE_LIMIT_PER_KEY: String(figures.perKey),
    RATE_LIMIT_PER_VISITOR: '1000000',
  }
  const seam = without === 'shared-counters' ? 'memory' : undefined
  const processes = await startProcesses({ count, tier, env, seam })
  const client = createClient(16)
  try {
    const attempts = await attemptsAdmitted(client.post, processes.origins, figures)
    const [key = ''] = await keysOf(env, 1)
    return {
      attempts,
      requests: await requestsAdmitted(key, processes.origins, { ...figures, ...(count === 1 && { seconds: 2 }) }),
    }
  } finally {
    client.close()
    await processes.stop()
  }
}

/** How many of each kind were compared or carried out, of more than are allowed. */
async function attemptsAdmitted(post: Post, origins: readonly string[], figures: Figures) {
  const admitted = async (attempt: (origin: string, n: number) => ReturnType<Post>, isAdmitted: number) => {
    const answers = await inParallel(8, figures.attempts, (n) => attempt(origins[n % origins.length] ?? '', n))
    return answers.filter(({ status }) => status === isAdmitted).length
  }
  const from = (n: number) => ({ 'X-Forwarded-For': strangerAddress(n) })
  const password = 'a wrong password'
  return {
    'passwords for one account': await admitted(
      (origin, n) => post(origin, '/session', { email: 'one@shop.example', password }, from(n)),
      401,
    ),
    'passwords from one address': await admitted(
      (origin, n) => post(origin, '/session', { email: `a-${n}@shop.example`, password }, from(10_000)),
      401,
    ),
    'passkeys from one address': await admitted(
      (origin) =>
        post(
          origin,
          '/session/passkey',
          { challengeId: 'chl_none', response: { id: 'none', rawId: 'none', type: 'public-key', response: {} } },
          from(10_001),
        ),
      401,
    ),
    // No mail is sent here, which is found after counting.
    'recoveries from one address': await admitted(
      (origin) => post(origin, '/recovery', { email: 'one@shop.example' }, from(10_002)),
      409,
    ),
  } satisfies Record<string, number>
}

/** An open loop: as many requests in each second, whatever the responses. */
async function requestsAdmitted(
  key: string,
  origins: readonly string[],
  { perSecond, seconds }: Pick<Figures, 'perSecond' | 'seconds'>,
): Promise<number> {
  const TICKS = 10
  const sent: Promise<number>[] = []
  for (let tick = 0; tick < TICKS * seconds; tick++) {
    for (let n = 0; n < perSecond / TICKS; n++) {
      const origin = origins[sent.length % origins.length] ?? ''
      const headers = { Authorization: `Bearer ${key}` }
      sent.push(exchange(origin, { path: '/v1/pets?limit=1', headers }).then(({ status }) => status))
    }
    await pause(1000 / TICKS)
  }
  return (await Promise.all(sent)).filter((status) => status === 200).length
}
