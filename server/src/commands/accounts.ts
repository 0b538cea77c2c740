// The operator's commands for accounts: an invitation, what an account has, a link for a person whose mail does
// not arrive, the proof of an address by other means, and the end of an account. Each is recorded
// in the history of the account, and its person gets a notice.

import { randomBytes } from 'node:crypto'
import { RECOVERY_MINUTES } from '@petstore-platform/contract/platform/recovery'
import { Command } from 'commander'
import { findCredentials, listTokens, type AccountRow } from '../accounts/account-queries.ts'
import { listEvents } from '../accounts/audit-queries.ts'
import { actionRecorder } from '../accounts/audit.io.ts'
import { deleteAccount } from '../accounts/deletion.io.ts'
import { setEmail } from '../accounts/links/email-change-queries.ts'
import { createLink, INVITED_HOURS, inviteAccount } from '../accounts/links/links.io.ts'
import { linkUrl } from '../accounts/links/purposes.ts'
import { countCodes } from '../accounts/links/recovery-queries.ts'
import { listPasskeys } from '../accounts/passkeys/passkey-queries.ts'
import { listSessions } from '../accounts/sessions/session-queries.ts'
import { newId } from '../foundation/ids.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { timeText } from '../foundation/time.ts'
import { noMail } from '../mail/queue.io.ts'
import type { Config } from '../program/config.ts'
import { queueMail } from '../program/mail-kinds.ts'
import { membershipsOf } from '../projects/members.io.ts'
import { inProjectOf } from '../projects/scope.io.ts'
import { columns, operatorOf, recorded, withDatabase, type Invocation } from './command.ts'

type OfAccount = { email: string; json?: true; as?: string; reason?: string }

const EVENTS = 10

export function accountCommands(invocation: Invocation): Command {
  const accounts = new Command('accounts')
  const command = (name: string, description: string) =>
    accounts
      .command(name)
      .description(description)
      .requiredOption('--email <address>', 'the address of the account')
      .option('--json', 'print one JSON object')
  const change = (name: string, description: string) => recorded(command(name, description))

  command('show', 'show what an account can be signed in with, and what happened to it').action(
    async (options: OfAccount) => {
      const given = invocation()
      const shown = await withAccount(given, options, showAccount)
      given.print(options.json ? JSON.stringify(shown) : accountText(shown))
    },
  )

  accounts
    .command('invite')
    .description('print a link with which a person creates an account; it works once, for 7 days')
    .argument('[address]', 'the email address of the person')
    .option('--email <address>', 'the same, as an option')
    .option('--json', 'print one JSON object')
    .action(async (typed: string | undefined, { email = typed, json }: Partial<OfAccount>) => {
      const { config, print, invalid } = invocation()
      if (email === undefined || readAddress(email) === undefined)
        throw invalid('accounts invite takes an address such as mia@happy-paws.example.')
      const secret = await withDatabase(config, async (database) => {
        if (await findCredentials(database.run, email))
          throw new Refusal('email_taken', `There is an account with the address ${email} already.`)
        return database.transaction({}, (db) => inviteAccount(db, { newId, randomBytes }, email))
      })
      const link = linkUrl(config.dashboardOrigin, 'sign_up', secret)
      print(json ? JSON.stringify({ link, hours: INVITED_HOURS }) : link)
    })

  change('recovery-link', `print a link that sets a new password; it works once, for ${RECOVERY_MINUTES} minutes`)
    .addHelpText('after', '\nCheck by other means that the person is the owner: the link gives them the account.')
    .action(async (options: OfAccount) => {
      const given = invocation()
      const { config, print } = given
      const link = await withAccount(given, options, (database, account) => recoveryLink(config, database, account))
      print(options.json ? JSON.stringify({ link, minutes: RECOVERY_MINUTES }) : link)
    })

  change('verify', 'record that the address belongs to the person, who has proved it by other means').action(
    async (options: OfAccount) => {
      const given = invocation()
      const { config, print } = given
      const { id } = await withAccount(given, options, (database, account) =>
        database.transaction({}, async (db) => {
          await setEmail(db, account.id, account.email)
          await recordBy(config)(db, { ...byOperator(account), action: 'email_verified_by_operator' })
          return account
        }),
      )
      print(options.json ? JSON.stringify({ id, isVerified: true }) : `The address of ${id} is verified.`)
    },
  )

  change('close', 'delete an account; not possible while it is the only owner of a project').action(
    async (options: OfAccount) => {
      const given = invocation()
      const { config, print } = given
      const { id } = await withAccount(given, options, async (database, account) => {
        const memberships = membershipsOf({ database, inProject: inProjectOf(database) })
        const context = { database, newId, queueMail: config.mail && queueMail }
        await deleteAccount(context, memberships, account.id, 'operator')
        return account
      })
      print(options.json ? JSON.stringify({ id, isDeleted: true }) : `The account ${id} was deleted.`)
    },
  )
  return accounts
}

function withAccount<Result>(
  given: ReturnType<Invocation>,
  options: OfAccount,
  work: (database: Database, account: AccountRow) => Promise<Result>,
): Promise<Result> {
  const { email } = options
  const withFound = async (database: Database) => {
    const account = await findCredentials(database.run, email)
    if (!account) throw new Refusal('not_found', `There is no account with the address ${email}.`)
    return work(database, account)
  }
  return withDatabase(given.config, withFound, operatorOf(given, options))
}

const recordBy = (config: Config) => actionRecorder(config.mail ? queueMail : noMail)

const byOperator = ({ id }: AccountRow) => ({ account: id, actor: 'operator', from: undefined }) as const

function recoveryLink(config: Config, database: Database, account: AccountRow): Promise<string> {
  const { id, email } = account
  return database.transaction({}, async (db) => {
    const link = { purpose: 'recovery', account: id, email, mail: newId('mail') } as const
    const secret = await createLink(db, randomBytes, link)
    if (secret === undefined) throw new Refusal('not_found', `There is no account with the address ${email}.`)
    await recordBy(config)(db, { ...byOperator(account), action: 'recovery_link_created' })
    return linkUrl(config.dashboardOrigin, 'recovery', secret)
  })
}

async function showAccount({ run }: Database, { id, email, isVerified, createdAt }: AccountRow) {
  const [sessions, passkeys, tokens, codes, events] = await Promise.all([
    listSessions(run, id),
    listPasskeys(run, id),
    listTokens(run, id),
    countCodes(run, id),
    listEvents(run, id, EVENTS),
  ])
  return {
    id,
    email,
    isVerified,
    createdAt,
    sessions: sessions.length,
    passkeys: passkeys.length,
    accessTokens: tokens.length,
    recoveryCodes: codes.left,
    events: events.map(({ at, action, actor, by, device }) => ({ at, action, actor, by, device })),
  }
}

type ShownAccount = Awaited<ReturnType<typeof showAccount>>

const accountText = ({ id, email, isVerified, createdAt, events, ...counts }: ShownAccount) =>
  [
    columns([
      ['account', id],
      ['address', `${email} (${isVerified ? 'verified' : 'not verified'})`],
      ['created', timeText(createdAt)],
      ['sessions', String(counts.sessions)],
      ['passkeys', String(counts.passkeys)],
      ['access tokens', String(counts.accessTokens)],
      ['recovery codes', String(counts.recoveryCodes)],
    ]),
    '',
    columns(events.map(({ at, action, actor, by, device }) => [timeText(at), action, by ?? actor, device ?? ''])),
  ].join('\n')
