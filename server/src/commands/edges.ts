// The operator's commands for edges. An enrolment token is printed once, by the command that created
// it, and can never be shown again.

import { randomBytes } from 'node:crypto'
import { isCalendarDay } from '@petstore-platform/contract/calendar-day'
import { Command } from 'commander'
import { announceAddresses } from '../domains/alerts/alerts.io.ts'
import { readAddresses } from '../domains/observing/dns-settings.ts'
import { listEdges, readClock, type EdgeRow } from '../fleet/directory.io.ts'
import { concernsOf } from '../fleet/edge-concerns.ts'
import { addEdge, ENROLMENT_MS, revokeEdge } from '../fleet/edge-tokens.io.ts'
import { CONNECTED_MS } from '../fleet/protocol.ts'
import { newId } from '../foundation/ids.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { MINUTE, SECOND, timeText } from '../foundation/time.ts'
import { queueMail } from '../program/mail-kinds.ts'
import { inProjectOf } from '../projects/scope.io.ts'
import { columns, withDatabase, type Invocation } from './command.ts'

export function edgeCommands(invocation: Invocation): Command {
  const edges = new Command('edges')
  const command = (name: string, description: string) =>
    edges.command(name).description(description).option('--json', 'print one JSON object')

  command('add', 'register an edge and print its enrolment token: for one edge, within 15 minutes')
    .argument('<name>', 'lower-case letters, digits, dots and hyphens; can be reused after it is revoked')
    .option('--serves-api', 'it also terminates TLS for dashboard and API, and gets their certificates')
    .action(async (name: string, { json, servesApi = false }: { json?: true; servesApi?: boolean }) => {
      const { config, print } = invocation()
      const { id, token } = await withDatabase(config, ({ run }) =>
        addEdge({ run, newId, randomBytes }, name, { servesApi }),
      )
      print(
        json
          ? JSON.stringify({ id, name, token })
          : `${token}\n\nThis token (${id}) is shown only once, and enrols one edge. Start the edge within ${ENROLMENT_MS / MINUTE} minutes.`,
      )
    })

  command(
    'list',
    'list edges: connection state, lag, time of the last poll, enrolment, and what needs attention',
  ).action(async ({ json }: { json?: true }) => {
    const { config, print } = invocation()
    const { head, rows } = await withDatabase(config, async ({ run }) => {
      // The edges first: they never have more than the current head.
      const found = await listEdges(run, CONNECTED_MS / SECOND)
      return { rows: found, head: (await readClock(run)).head }
    })
    const shown = rows.map((row) => shownOf(row, head))
    print(json ? JSON.stringify({ head, edges: shown }) : table(shown))
  })

  command('revoke', 'revoke the keys and the token of an edge; takes effect within a second')
    .argument('<name>')
    .action(async (name: string, { json }: { json?: true }) => {
      const { config, print } = invocation()
      const revoked = await withDatabase(config, ({ run }) => revokeEdge({ run }, name))
      print(json ? JSON.stringify(revoked) : `${name} (${revoked.id}) has been revoked.`)
    })
  command('announce', 'mail the owners of domains with address records that the addresses of the edges will change')
    .requiredOption('--addresses <addresses>', 'the new addresses, separated by commas')
    .requiredOption('--from <date>', 'the day from which on they are used, at least 30 days ahead, such as 2027-06-01')
    .action(async ({ addresses: given, from, json }: { addresses: string; from: string; json?: true }) => {
      const { config, print, invalid } = invocation()
      const addresses = readAddresses(given)
      if (!addresses || addresses.length === 0) {
        throw invalid('--addresses takes IP addresses, separated by commas, such as 192.0.2.20,2001:db8::20.')
      }
      if (!isCalendarDay(from)) throw invalid('--from takes a day such as 2027-06-01.')
      if (!config.mail) throw new Refusal('invalid_field', 'This installation sends no mail: set SMTP_URL.')
      const announced = await withDatabase(config, (database) => {
        const context = { database, now: Date.now, newId }
        return announceAddresses(context, inProjectOf(database), queueMail, { addresses, from })
      })
      const { projects, domains, mails } = announced
      print(
        json
          ? JSON.stringify({ addresses, from, ...announced })
          : `${mails} mails are queued, to ${projects} projects with ${domains} domains.`,
      )
    })
  return edges
}

const shownOf = ({ acknowledged, ...row }: EdgeRow, head: number) => ({
  ...row,
  acknowledged: Number(acknowledged),
  behind: Math.max(0, head - Number(acknowledged)),
})

type ShownEdge = ReturnType<typeof shownOf>

function table(edges: readonly ShownEdge[]): string {
  if (edges.length === 0) return 'There are no edges.'
  const lines = edges.map((edge) => [
    edge.name,
    edge.isConnected ? 'connected' : 'not connected',
    edge.behind === 0 ? 'up to date' : `${edge.behind} changes behind`,
    edge.seenAt === null ? 'never seen' : `seen ${timeText(edge.seenAt)}`,
    enrolmentText(edge, new Date()),
    edge.id,
    edge.servesApi ? 'serves the API' : '',
  ])
  const concerns = edges.flatMap((edge) => concernsOf(edge, Date.now()))
  return [columns(lines), ...concerns.map(({ sentence, remedy }) => `${sentence} ${remedy}`)].join('\n')
}

function enrolmentText({ enrolledAt, enrolmentEndsAt }: ShownEdge, now: Date): string {
  if (enrolledAt !== null) return `enrolled ${timeText(enrolledAt)}`
  if (enrolmentEndsAt === null) return 'not enrolled, identified by its token'
  return `not enrolled, token ${enrolmentEndsAt > now ? 'valid until' : 'expired'} ${timeText(enrolmentEndsAt)}`
}
