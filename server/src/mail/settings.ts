// The mail settings of an installation: the relay, the sender, the signature, and where reports
// about mails return.

import type { Dkim, MailAddress, RelaySettings } from '../foundation/smtp/relay.io.ts'
import * as smtp from '../foundation/smtp/settings.ts'
import { BOUNCE_LOCAL_MAX, readBounceSetting } from './bounce-address.ts'

export type MailConfig = Readonly<{
  relay: RelaySettings
  from: MailAddress
  /** Undefined if the relay signs. */
  dkim: Dkim | undefined
  /** Where reports about mails return; undefined if to the sender. */
  bounceAddress: string | undefined
  connections: number
  perSecond: number
  /** Mails are queued and not sent. */
  isHeld: boolean
}>

/** Typed access to the environment; a value that cannot be parsed is reported, and the fallback returned. */
export type SettingsReader = {
  read: <T>(name: string, fallback: T, parse: (text: string) => T | undefined, wanted: string) => T
  integer: (name: string, fallback: number, least: number, most: number) => number
  flag: (name: string) => boolean
  plain: (name: string) => string | undefined
}

/** Undefined if no mail is sent. */
export function mailOf({ read, integer, flag, plain }: SettingsReader, mistakes: string[]): MailConfig | undefined {
  const relay = read('SMTP_URL', undefined, smtp.readRelay, 'an smtps:// or smtp:// address of a relay')
  const from = read('MAIL_FROM', undefined, smtp.readSender, 'an address such as Petstore <no-reply@mail.example>')
  const dkim = dkimOf({ read }, mistakes)
  const rest = {
    bounceAddress: read(
      'MAIL_BOUNCE_ADDRESS',
      undefined,
      readBounceSetting,
      `an address such as bounce@mail.example, without a plus sign and with at most ${BOUNCE_LOCAL_MAX} characters before the @`,
    ),
    connections: integer('SMTP_CONNECTIONS', 2, 1, 100),
    perSecond: integer('SMTP_PER_SECOND', 10, 1, 100_000),
    isHeld: flag('MAIL_HOLD'),
  }
  const roots = plain('SMTP_ROOTS')
  if (!relay) return undefined
  if (!from) mistakes.push('SMTP_URL also requires MAIL_FROM.')
  return from && { relay: { ...relay, roots }, from, dkim, ...rest }
}

function dkimOf({ read }: Pick<SettingsReader, 'read'>, mistakes: string[]): Dkim | undefined {
  const domain = read('DKIM_DOMAIN', undefined, smtp.readDkimDomain, 'a domain')
  const selector = read('DKIM_SELECTOR', undefined, smtp.readSelector, 'a selector such as petstore')
  const key = read('DKIM_KEY', undefined, smtp.readPrivateKey, 'a private RSA or Ed25519 key (PEM)')
  if (domain !== undefined && selector !== undefined && key !== undefined) return { domain, selector, key }
  if (domain !== undefined || selector !== undefined || key !== undefined) {
    mistakes.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY are set together.')
  }
  return undefined
}
