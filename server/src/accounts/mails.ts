// The mails about an account: the link that resets a password, and notices of every change of how
// it can be signed in to. They are short, say what happened and when, and lead to where it can be
// reviewed. Pure: facts in, mail out.

import { SECURE_DAYS } from '@petstore/contract/platform/recovery'
import type { Block, Mail } from '../mail/mail.ts'
import type { NoticeKind } from './account-actions.ts'

export type NoticeFacts = {
  at: Date
  /** The device on which it happened, if it was recognised. */
  device: string | undefined
  /** The label of the passkey or token, if it still exists. */
  label: string | undefined
  /** The page that ends everything with which the account can be used. */
  secureUrl: string
}

type NoticeText = { subject: string; happened: string; advice?: string }

const texts: Readonly<Record<NoticeKind, NoticeText>> = {
  new_sign_in: {
    subject: 'New sign-in',
    happened: 'Your Petstore account was signed in to on a device that was not used for it before.',
  },
  password_changed: {
    subject: 'Your password was changed',
    happened:
      'The password of your Petstore account was changed. Every other device was signed out, and all access tokens were revoked.',
  },
  password_reset: {
    subject: 'Your password was changed',
    happened:
      'A new password was set with a link that was sent to this address. Every device was signed out, and all passkeys, access tokens and recovery codes of your account were removed.',
    advice: 'Another person may be reading your mail, so change the password of your mailbox first.',
  },
  recovery_link_created: {
    subject: 'A link to a new password was created for your account',
    happened:
      'The operator of this installation created a link that sets a new password for your Petstore account, and passes it on by other means than mail.',
  },
  email_verified: {
    subject: 'Your email address was verified',
    happened: 'The operator of this installation recorded that this address belongs to you.',
  },
  recovery_codes_created: {
    subject: 'Recovery codes were created for your account',
    happened: 'From now on, each of these codes can set a new password for your Petstore account. Earlier codes ended.',
  },
  recovery_code_used: {
    subject: 'Your password was changed with a recovery code',
    happened:
      'A new password was set with one of your recovery codes. Every device was signed out, and all passkeys, access tokens and recovery codes of your account were removed.',
  },
  passkey_added: {
    subject: 'A passkey was added to your account',
    happened: 'From now on, this passkey can sign in to your Petstore account.',
  },
  passkey_removed: {
    subject: 'A passkey was removed from your account',
    happened: 'This passkey can no longer sign in to your Petstore account.',
  },
  access_token_created: {
    subject: 'An access token was created for your account',
    happened: 'From now on, programs can use this token to act as you in Petstore.',
  },
  access_token_revoked: {
    subject: 'An access token of your account was revoked',
    happened: 'Programs that use this token are now rejected.',
  },
}

const SECURITY_FOOTER = 'You get this mail because it concerns the security of your account. It cannot be turned off.'

export function noticeOf(kind: NoticeKind, { at, device, label, secureUrl }: NoticeFacts): Mail {
  const { subject: what, happened, advice } = texts[kind]
  const subject = kind === 'new_sign_in' && device !== undefined ? `${what}: ${device}` : what
  const facts: Block = {
    kind: 'facts',
    facts: [
      ...(label === undefined ? [] : [['Name', label] as const]),
      ...(device === undefined ? [] : [['Device', device] as const]),
      ['When', timeText(at)],
    ],
  }
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'paragraph', text: happened },
      facts,
      { kind: 'paragraph', text: 'If this was you, there is nothing to do.' },
      {
        kind: 'paragraph',
        text: [
          'If it was not you, secure your account now: every device is signed out, your password, passkeys, access tokens and recovery codes stop working, and you get a link to a new password.',
          ...(advice === undefined ? [] : [advice]),
        ].join(' '),
      },
      { kind: 'button', text: 'This was not me', url: secureUrl },
      { kind: 'paragraph', text: `The link works once, for ${SECURE_DAYS} days.` },
    ],
    footer: SECURITY_FOOTER,
  }
}

export type SignUpFacts = {
  url: string
  hours: number
  /** Whether an account with the address exists that has never proved it. */
  isKnown: boolean
  recoveryUrl: string
}

export function signUpMail({ url, hours, isKnown, recoveryUrl }: SignUpFacts): Mail {
  const subject = 'Confirm your email address'
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'paragraph', text: 'Your address was entered to create a Petstore account.' },
      { kind: 'button', text: 'Create your account', url },
      { kind: 'paragraph', text: `The link works once, for ${hours} hours.` },
      ...(isKnown
        ? [
            {
              kind: 'paragraph',
              text: `There is an account with this address already, which was never confirmed. If it is yours, do not create another one: reset its password at ${recoveryUrl}, and it keeps its stores. If it is not yours, create your account: the other one then loses this address.`,
            } as const,
          ]
        : []),
      { kind: 'paragraph', text: 'If you did not ask for it, ignore this mail: no account is created.' },
    ],
    footer: 'You get this mail because your address was entered at Petstore.',
  }
}

/** To an address that has an account: the page must not tell, so the mail does. */
export function knownAddressMail(dashboardOrigin: string): Mail {
  const subject = 'You already have a Petstore account'
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'paragraph',
        text: 'Your address was entered to create an account, but it has one. Sign in with your password or a passkey.',
      },
      { kind: 'button', text: 'Sign in', url: `${dashboardOrigin}/sign-in` },
      { kind: 'paragraph', text: `If you have forgotten your password, reset it at ${dashboardOrigin}/recovery.` },
      { kind: 'paragraph', text: 'If you did not ask for it, ignore this mail: nothing will change.' },
    ],
    footer: 'You get this mail because your address was entered at Petstore.',
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
        text: `The link works once, for ${minutes} minutes. A new password signs you out everywhere, and removes all passkeys, access tokens and recovery codes of your account.`,
      },
      { kind: 'paragraph', text: 'If you did not ask for it, ignore this mail: nothing will change.' },
    ],
    footer: 'You get this mail because your address was entered at Petstore.',
  }
}

/** To the new address, or to the current one if it is only to be proved. */
export function emailChangeMail({ url, isNew, hours }: { url: string; isNew: boolean; hours: number }): Mail {
  const subject = isNew ? 'Confirm your new email address' : 'Confirm your email address'
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'paragraph',
        text: isNew
          ? 'This address was entered as the new address of a Petstore account.'
          : 'This is the address of your Petstore account. Confirm that it is yours.',
      },
      { kind: 'button', text: 'Confirm this address', url },
      { kind: 'paragraph', text: `The link works once, for ${hours} hours.` },
      { kind: 'paragraph', text: 'If you did not ask for it, ignore this mail: nothing will change.' },
    ],
    footer: 'You get this mail because your address was entered at Petstore.',
  }
}

/** To the old address: the person may have lost the account to a thief. */
export function emailChangedMail({ url, at, days }: { url: string; at: Date; days: number }): Mail {
  const subject = 'Your email address was changed'
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'paragraph',
        text: 'Your Petstore account now has another email address. Mails about it no longer come here.',
      },
      { kind: 'facts', facts: [['When', timeText(at)]] },
      { kind: 'paragraph', text: 'If this was you, there is nothing to do.' },
      {
        kind: 'paragraph',
        text: 'If it was not you, take your account back: it gets this address again, every device is signed out, your password, passkeys, access tokens and recovery codes stop working, and you get a link to a new password.',
      },
      { kind: 'button', text: 'Undo the change', url },
      { kind: 'paragraph', text: `The link works once, for ${days} days.` },
    ],
    footer: SECURITY_FOOTER,
  }
}

export function accountDeletedMail(at: Date): Mail {
  const subject = 'Your account was deleted'
  return {
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'paragraph', text: 'Your Petstore account no longer exists. Your name and this address were erased.' },
      { kind: 'facts', facts: [['When', timeText(at)]] },
      {
        kind: 'paragraph',
        text: 'A deleted account cannot be restored. If you did not ask for it, contact the operator of this installation.',
      },
    ],
    footer: SECURITY_FOOTER,
  }
}

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const timeText = (at: Date) => `${date.format(at)} UTC`
