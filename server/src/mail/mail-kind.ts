// A kind of mail as its feature lists it: its rules, and what composes it when it is sent.

import type { Attachment } from '../foundation/smtp/relay.io.ts'
import type { MailRules } from './kinds.ts'
import type { Mail } from './mail.ts'
import type { MailRow } from './outbox-queries.ts'
import type { DigestPace } from './queue.io.ts'

/** `Deps`: what its feature needs to read the facts. */
export type MailKind<Deps> = MailRules & { compose: (deps: Deps) => Compose }

export type MailKinds<Deps> = Readonly<Record<string, MailKind<Deps>>>

/** Reads the facts of a mail, and writes it. Undefined if the recipient or the subject no longer exists. */
export type Compose = (mail: MailRow, rules: MailRules) => Promise<ComposedMail | NotSent | undefined>

/** A mail with the address that it goes to. */
export type ComposedMail = {
  to: string
  mail: Mail
  /** A name to show instead of that of our address. */
  sender?: string | undefined
  replyTo?: string | undefined
  attachment?: Attachment | undefined
  /** The address that turns such mails off with one POST. */
  unsubscribe?: string | undefined
}

/** Why nothing is sent; it may be summed up later. */
export type NotSent = { because: string; digest?: DigestPace | undefined }
