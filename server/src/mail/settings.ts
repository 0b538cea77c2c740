// The mail settings of an installation: the relay, the sender, the signature, and where reports
// about mails return.

import { anyText, flag, integer, type Setting, type ValuesOf } from '../foundation/setting.ts'
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

export const mailSettings = {
  SMTP_URL: {
    parse: smtp.readRelay,
    wanted: 'an smtps:// or smtp:// address of a relay',
    kind: 'secret',
    otherwise: 'no mail',
    about: 'relay for mail',
  },
  SMTP_ROOTS: { ...anyText, kind: 'document', about: 'roots that the relay may chain to, besides the public ones' },
  SMTP_CONNECTIONS: { ...integer(1, 100), default: '2', about: 'connections to the relay, for notifications' },
  SMTP_PER_SECOND: { ...integer(1, 100_000), default: '10', about: 'mails per second' },
  MAIL_FROM: {
    parse: smtp.readSender,
    wanted: 'an address such as Petstore <no-reply@mail.example>',
    otherwise: 'required with SMTP_URL',
    about: 'sender of mails',
  },
  MAIL_BOUNCE_ADDRESS: {
    parse: readBounceSetting,
    wanted: `an address such as bounce@mail.example, without a plus sign and with at most ${BOUNCE_LOCAL_MAX} characters before the @`,
    otherwise: 'MAIL_FROM',
    about: 'where reports about mails return',
  },
  MAIL_HOLD: { ...flag, default: 'false', about: 'queue mails and send none' },
  DKIM_DOMAIN: { parse: smtp.readDkimDomain, wanted: 'a domain', about: 'domain that mails are signed for' },
  DKIM_SELECTOR: {
    parse: smtp.readSelector,
    wanted: 'a selector such as petstore',
    about: 'selector of the signature',
  },
  DKIM_KEY: {
    parse: smtp.readPrivateKey,
    wanted: 'a private RSA or Ed25519 key (PEM)',
    kind: 'secret',
    about: 'private key (PEM) of the signature',
  },
} satisfies Readonly<Record<string, Setting>>

type Values = ValuesOf<typeof mailSettings>

/** Undefined if no mail is sent. */
export function mailOf(values: Values, mistakes: string[]): MailConfig | undefined {
  const { SMTP_URL: relay, SMTP_ROOTS: roots, MAIL_FROM: from } = values
  const dkim = dkimOf(values, mistakes)
  if (!relay) return undefined
  if (!from) mistakes.push('SMTP_URL also requires MAIL_FROM.')
  return (
    from && {
      relay: { ...relay, roots },
      from,
      dkim,
      bounceAddress: values.MAIL_BOUNCE_ADDRESS,
      connections: values.SMTP_CONNECTIONS,
      perSecond: values.SMTP_PER_SECOND,
      isHeld: values.MAIL_HOLD,
    }
  )
}

function dkimOf(values: Values, mistakes: string[]): Dkim | undefined {
  const { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_KEY: key } = values
  if (domain !== undefined && selector !== undefined && key !== undefined) return { domain, selector, key }
  if (domain !== undefined || selector !== undefined || key !== undefined) {
    mistakes.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY are set together.')
  }
  return undefined
}
