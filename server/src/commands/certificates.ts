// The operator's commands for certificates: listing them, and re-encrypting every private key after
// a new key was put first in CERTIFICATE_KEYS. Neither ever prints a key, and both may run while
// everything else does.

import { Command } from 'commander'
import { readRecords } from '../certificates/advance.io.ts'
import { certificateStatusOf } from '../certificates/certificate-status.ts'
import { openKeys } from '../certificates/key-encryption.io.ts'
import { rotateKeys } from '../certificates/key-rotation-queries.ts'
import { countOldSeals, listHostnames } from '../certificates/stored-queries.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Instant } from '../foundation/time.ts'
import { withDatabase, type Invocation } from './command.ts'

const PAGE = 100

/** `end` receives the exit code, which scripts read. */
export function certificateCommands(invocation: Invocation, end: (code: number) => void): Command {
  const certificates = new Command('certificates')
  certificates
    .command('list')
    .description('list hostnames and the state of their certificates, sorted by hostname')
    .option('--hostname <hostname>', 'show only this hostname')
    .option('--after <hostname>', 'start after this hostname', '')
    .option('--limit <count>', 'maximum number of hostnames', String(PAGE))
    .option('--json', 'print one JSON object')
    .action(async (asked: { hostname?: string; after: string; limit: string; json?: true }) => {
      const { hostname, after, limit, json } = asked
      const { config, print, invalid } = invocation()
      if (!/^[1-9]\d{0,4}$/.test(limit)) throw invalid('--limit takes a number from 1 to 99999.')
      await withDatabase(config, async ({ run }) => {
        const names = hostname === undefined ? await listHostnames(run, after, Number(limit)) : [hostname]
        const lines = []
        for (const name of names) lines.push(...(await lineOf(run, name, Date.now())))
        print(json ? JSON.stringify({ certificates: lines }) : textOf(lines))
        if (hostname !== undefined && lines.length === 0) end(1)
      })
    })

  certificates
    .command('rotate-keys')
    .description('re-encrypt every private key with the first key in CERTIFICATE_KEYS')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nAppend the new key on every host, then move it to the front on every host, then run this command.\n' +
        'Remove the old key once nothing remains. Exits with 1 while something remains. Safe to run again.',
    )
    .action(async ({ json }: { json?: true }) => {
      const { config, print } = invocation()
      if (!config.certificates) throw new Error('CERTIFICATE_KEYS is required: there is no key to encrypt with.')
      const keys = openKeys(config.certificates.keys)
      await withDatabase(config, async ({ run }) => {
        const { resealed, unreadable } = await rotateKeys(run, keys)
        const remaining = await countOldSeals(run, keys.sealId)
        const words = `Re-encrypted ${resealed} keys with ${keys.sealId}; ${remaining} remain encrypted with other keys.`
        const why = unreadable.length === 0 ? '' : `\nCannot be decrypted: ${unreadable.join(', ')}`
        print(json ? JSON.stringify({ sealId: keys.sealId, resealed, remaining, unreadable }) : `${words}${why}`)
        if (remaining > 0) end(1)
      })
    })
  return certificates
}

type Line = {
  hostname: string
  state: string
  authority: string | null
  notAfter: string | null
  renewAt: string | null
  sealId: string | null
  cause: string | null
}

async function lineOf(run: Db, hostname: string, now: Instant): Promise<Line[]> {
  const records = await readRecords(run, hostname)
  if (!records) return []
  const { desired, order, certificate } = records
  const { state, cause, authority } = certificateStatusOf(desired.generation, order ?? null, certificate ?? null, now)
  return [
    {
      hostname,
      state: desired.droppedAt === null ? state : 'kept',
      authority,
      notAfter: timeOf(certificate?.notAfter),
      // An open order has the more precise time of the next step.
      renewAt: timeOf(order ? order.nextAt : certificate?.renewAt),
      sealId: certificate?.sealId ?? null,
      cause: cause?.code ?? null,
    },
  ]
}

const timeOf = (at: Instant | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString()

const shortOf = (time: string | null) => time?.slice(0, 16).replace('T', ' ') ?? '–'

function textOf(lines: readonly Line[]): string {
  if (lines.length === 0) return 'There are no certificates.'
  return lines
    .map(({ hostname, state, authority, notAfter, renewAt, cause }) =>
      [
        hostname,
        cause === null ? state : `${state} (${cause})`,
        authority ?? '–',
        `until ${shortOf(notAfter)}`,
        `next ${shortOf(renewAt)}`,
      ].join('  '),
    )
    .join('\n')
}
