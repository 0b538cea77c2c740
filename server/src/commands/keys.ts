// The operator's commands for API keys. A key is printed once, by the command that created it, and
// can never be shown again.

import { scopes as allScopes, type Scope } from '@petstore-platform/contract/operations'
import { Command, Option } from 'commander'
import { columns, recorded, withProject, type Invocation, type OfProject } from './command.ts'
import { instantFrom, timeText } from '../foundation/time.ts'
import { contextOf } from '../program/context.ts'
import {
  createKey,
  OVERLAP_SECONDS_DEFAULT,
  OVERLAP_SECONDS_MAX,
  revokeKey,
  rotateKey,
} from '../projects/api-keys.io.ts'
import * as queries from '../projects/project-queries.ts'
import type { KeyRow } from '../projects/project-queries.ts'
import { inProjectOf } from '../projects/scope.io.ts'

export function keyCommands(invocation: Invocation): Command {
  const keys = new Command('keys')
  const ofProject = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .requiredOption('--project <project>', 'slug or id of the project')
      .option('--json', 'print one JSON object')

  recorded(ofProject('create', 'create a key and print it once'))
    .option('--label <label>', 'what the key is for', 'unnamed')
    .addOption(new Option('--scopes <scopes>', `comma-separated, from ${allScopes.join(', ')} (default: all)`))
    .option('--expires-at <time>', 'RFC 3339 time at which the key expires')
    .action(async (options: OfProject & { label: string; scopes?: string; expiresAt?: string }) => {
      const given = invocation()
      const { config, print, invalid } = given
      const scopes = options.scopes === undefined ? undefined : readScopes(options.scopes, invalid)
      const expiresAt = options.expiresAt === undefined ? null : readTime(options.expiresAt, invalid)
      await withProject(given, options, async (database, project) => {
        const { key, row } = await createKey(contextOf(config, database), project, {
          label: options.label,
          scopes,
          expiresAt,
        })
        print(
          options.json
            ? JSON.stringify({ ...shown(row), key })
            : `${key}\n\nThis key (${row.id}) is shown only once. Store it now.`,
        )
      })
    })

  ofProject('list', 'list keys: scopes, state, and time of last use').action(async (options: OfProject) => {
    const given = invocation()
    const { print } = given
    await withProject(given, options, async (database, project) => {
      const rows = await inProjectOf(database)(project, (db) => queries.listKeys(db, project))
      print(options.json ? JSON.stringify({ keys: rows.map(shown) }) : table(rows))
    })
  })

  recorded(ofProject('rotate', 'create a new key with the same scopes; the old one stays valid for the overlap'))
    .argument('<key-id>')
    .option('--overlap-seconds <seconds>', `0 to ${OVERLAP_SECONDS_MAX}`, String(OVERLAP_SECONDS_DEFAULT))
    .action(async (id: string, options: OfProject & { overlapSeconds: string }) => {
      const given = invocation()
      const { config, print, invalid } = given
      const overlap = /^\d{1,7}$/.test(options.overlapSeconds) ? Number(options.overlapSeconds) : Number.NaN
      if (!(overlap <= OVERLAP_SECONDS_MAX)) throw invalid(`--overlap-seconds must be 0 to ${OVERLAP_SECONDS_MAX}.`)
      await withProject(given, options, async (database, project) => {
        const { key, row, old } = await rotateKey(contextOf(config, database), project, id, overlap)
        const until = old.expiresAt?.toISOString()
        print(
          options.json
            ? JSON.stringify({ ...shown(row), key, old: shown(old) })
            : `${key}\n\nThis key (${row.id}) is shown only once. ${old.id} stays valid until ${until}.`,
        )
      })
    })

  recorded(ofProject('revoke', 'revoke a key; takes effect everywhere within a second'))
    .argument('<key-id>')
    .action(async (id: string, options: OfProject) => {
      const given = invocation()
      const { print } = given
      await withProject(given, options, async (database, project) => {
        const row = await revokeKey({ inProject: inProjectOf(database) }, project, id)
        print(options.json ? JSON.stringify(shown(row)) : `${row.id} has been revoked.`)
      })
    })
  return keys
}

function readScopes(text: string, invalid: (why: string) => Error): Scope[] {
  const found = text.split(',').map((item) => allScopes.find((scope) => scope === item.trim()))
  if (found.some((scope) => scope === undefined)) throw invalid(`--scopes takes ${allScopes.join(', ')}.`)
  return found as Scope[]
}

function readTime(text: string, invalid: (why: string) => Error): Date {
  const instant = instantFrom(text)
  if (instant === undefined) throw invalid('--expires-at takes an RFC 3339 time, such as 2027-01-31T00:00:00Z.')
  return new Date(instant)
}

/** The parts of a key that may be shown at any time. */
function shown({ digest: _, ...row }: KeyRow) {
  return row
}

function table(rows: readonly KeyRow[]): string {
  if (rows.length === 0) return 'This project has no keys.'
  const lines = rows.map(({ id, label, displayPrefix, lastFour, scopes, expiresAt, revokedAt, lastUsedAt }) => [
    id,
    `${displayPrefix}…${lastFour}`,
    revokedAt ? `revoked ${timeText(revokedAt)}` : expiresAt ? `expires ${timeText(expiresAt)}` : 'active',
    lastUsedAt ? `used ${timeText(lastUsedAt)}` : 'never used',
    scopes.join(','),
    label,
  ])
  return columns(lines)
}
