// The mails about an account: the link that resets a password, and notices of every change of how
// it can be signed in to. They are short, say what happened and when, and lead to where it can be
// reviewed. Pure: facts in, mail out.

import type { Block, Mail } from '../mail/mail.ts'
import type { MailKind } from '../mail/kinds.ts'

export type NoticeKind = Exclude<MailKind, 'recovery'>

export type NoticeFacts = {
  at: Date
  /** The label of the passkey or token, if it still exists. */
  label: string | undefined
  /** The page of the dashboard on which everything about the account is reviewed. */
  accountUrl: string
}

type NoticeText = { subject: string; happened: string; advice: string }

const texts: Readonly<Record<NoticeKind, NoticeText>> = {
  password_changed: {
    subject: 'Your password was changed',
    happened:
      'The password of your Petstore account was changed. Every other device was signed out, and all access tokens were revoked.',
    advice: 'If this was not you, sign in with a passkey and set a new password, or contact the operator at once.',
  },
  password_reset: {
    subject: 'Your password was changed',
    happened:
      'A new password was set with a link that was sent to this address. Every device was signed out, and all passkeys and access tokens of your account were removed.',
    advice: 'If this was not you, another person reads your mail: secure your mailbox, then reset the password again.',
  },
  passkey_added: {
    subject: 'A passkey was added to your account',
    happened: 'From now on, this passkey can sign in to your Petstore account.',
    advice: 'If this was not you, remove the passkey and change your password.',
  },
  passkey_removed: {
    subject: 'A passkey was removed from your account',
    happened: 'This passkey can no longer sign in to your Petstore account.',
    advice: 'If this was not you, change your password.',
  },
  access_token_created: {
    subject: 'An access token was created for your account',
    happened: 'From now on, programs can use this token to act as you in Petstore.',
    advice: 'If this was not you, revoke the token and change your password.',
  },
  access_token_revoked: {
    subject: 'An access token of your account was revoked',
    happened: 'Programs that use this token are now rejected.',
    advice: 'If this was not you, change your password.',
  },
}

export function noticeOf(kind: NoticeKind, { at, label, accountUrl }: NoticeFacts): Mail {
  const { subject, happened, advice } = texts[kind]
  const facts: Block = {
    kind: 'facts',
    facts: [...(label === undefined ? [] : [['Name', label] as const]), ['When', timeText(at)]],
  }
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'paragraph', text: happened },
      facts,
      { kind: 'paragraph', text: `If this was you, there is nothing to do. ${advice}` },
      { kind: 'button', text: 'Review your account', url: accountUrl },
    ],
    footer: 'You get this mail because it concerns the security of your account. It cannot be turned off.',
  }
}

export function recoveryMail({ url, minutes }: { url: string; minutes: number }): Mail {
  const subject = 'Reset your password'
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'paragraph', text: 'A new password was requested for your Petstore account.' },
      { kind: 'button', text: 'Choose a new password', url },
      {
        kind: 'paragraph',
        text: `The link works once, for ${minutes} minutes. A new password signs you out everywhere, and removes all passkeys and access tokens of your account.`,
      },
      { kind: 'paragraph', text: 'If you did not ask for it, ignore this mail: nothing will change.' },
    ],
    footer: 'You get this mail because your address was entered at Petstore.',
  }
}

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const timeText = (at: Date) => `${date.format(at)} UTC`
