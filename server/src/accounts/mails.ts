// The mails about an account: the link that resets a password, and notices of every change of how
// it can be signed in to. They are short, say what happened and when, and lead to where it can be
// reviewed. Pure: facts in, mail out.

import { SECURE_DAYS } from '@petstore-platform/contract/platform/recovery'
import type { Language } from '@petstore-platform/contract/platform/site'
import type { Block, Mail } from '../mail/mail.ts'
import { mailTime } from '../mail/mail-time.ts'
import { noticeKinds, type NoticeKind } from './account-actions.ts'
import { de } from './mail-texts/de.ts'
import { en } from './mail-texts/en.ts'
import { es } from './mail-texts/es.ts'
import { fr } from './mail-texts/fr.ts'
import type { AccountTexts } from './mail-texts/texts.ts'

export const accountTexts: Readonly<Record<Language, AccountTexts>> = { en, de, fr, es }

type InLanguage = { language: Language }

export type NoticeFacts = InLanguage & {
  at: Date
  /** The device on which it happened, if it was recognised. */
  device: string | undefined
  /** The label of the passkey or token, if it still exists. */
  label: string | undefined
  /** The page that ends everything with which the account can be used. */
  secureUrl: string
}

export type SignUpFacts = InLanguage & {
  url: string
  hours: number
  /** Whether an account with the address exists that has never proved it. */
  isKnown: boolean
  recoveryUrl: string
}

export type EmailChangeFacts = InLanguage & { url: string; isNew: boolean; hours: number }

/** The notices of what happened to an account. */
export const noticeMails = Object.fromEntries(
  noticeKinds.map((kind) => [kind, (facts: NoticeFacts) => noticeOf(kind, facts)]),
) as Readonly<Record<NoticeKind, (facts: NoticeFacts) => Mail>>

export const accountMails = {
  recovery: linkMail('recovery'),

  sign_in_link: linkMail('signInLink'),

  sign_up({ language, url, hours, isKnown, recoveryUrl }: SignUpFacts): Mail {
    const { signUp: texts, hours: validity, entered } = accountTexts[language]
    return {
      language,
      subject: texts.subject,
      blocks: [
        { kind: 'heading', text: texts.subject },
        { kind: 'paragraph', text: texts.text },
        { kind: 'button', text: texts.button, url },
        { kind: 'paragraph', text: validity(hours) },
        ...(isKnown ? [{ kind: 'paragraph', text: texts.known(recoveryUrl) } as const] : []),
        { kind: 'paragraph', text: texts.ignore },
      ],
      footer: entered,
    }
  },

  /** To the new address, or to the current one if it is only to be proved. */
  email_change({ language, url, isNew, hours }: EmailChangeFacts): Mail {
    const { emailChange: texts, hours: validity, ignore, entered } = accountTexts[language]
    const subject = isNew ? texts.newSubject : texts.subject
    return {
      language,
      subject,
      blocks: [
        { kind: 'heading', text: subject },
        { kind: 'paragraph', text: isNew ? texts.newText : texts.text },
        { kind: 'button', text: texts.button, url },
        { kind: 'paragraph', text: validity(hours) },
        { kind: 'paragraph', text: ignore },
      ],
      footer: entered,
    }
  },

  /** To the old address: the person may have lost the account to a thief. */
  email_changed({ language, url, at, days }: InLanguage & { url: string; at: Date; days: number }): Mail {
    const { emailChanged: texts, labels, wasYou, days: validity, security } = accountTexts[language]
    return {
      language,
      subject: texts.subject,
      blocks: [
        { kind: 'heading', text: texts.subject },
        { kind: 'paragraph', text: texts.text },
        { kind: 'facts', facts: [[labels.when, mailTime(language, at)]] },
        { kind: 'paragraph', text: wasYou },
        { kind: 'paragraph', text: texts.wasNotYou },
        { kind: 'button', text: texts.button, url },
        { kind: 'paragraph', text: validity(days) },
      ],
      footer: security,
    }
  },

  account_deleted({ language, at }: InLanguage & { at: Date }): Mail {
    const { accountDeleted: texts, labels, security } = accountTexts[language]
    return {
      language,
      subject: texts.subject,
      blocks: [
        { kind: 'heading', text: texts.subject },
        { kind: 'paragraph', text: texts.text },
        { kind: 'facts', facts: [[labels.when, mailTime(language, at)]] },
        { kind: 'paragraph', text: texts.contact },
      ],
      footer: security,
    }
  },

  /** Nothing has happened to the account, so there is nothing to end: it leads to where a passkey is added. */
  sign_ins_limited({ language, at, url }: InLanguage & { at: Date; url: string }): Mail {
    const { signInsLimited: texts, labels, security } = accountTexts[language]
    return {
      language,
      subject: texts.subject,
      blocks: [
        { kind: 'heading', text: texts.subject },
        { kind: 'paragraph', text: texts.text },
        { kind: 'facts', facts: [[labels.when, mailTime(language, at)]] },
        { kind: 'paragraph', text: texts.notGuessed },
        { kind: 'paragraph', text: texts.advice },
        { kind: 'button', text: texts.button, url },
      ],
      footer: security,
    }
  },
}

function noticeOf(kind: NoticeKind, { language, at, device, label, secureUrl }: NoticeFacts): Mail {
  const texts = accountTexts[language]
  const { subject: what, happened, advice } = texts.notices[kind]
  const subject = kind === 'new_sign_in' && device !== undefined ? texts.newSignInOn(device) : what
  const facts: Block = {
    kind: 'facts',
    facts: [
      ...(label === undefined ? [] : [[texts.labels.name, label] as const]),
      ...(device === undefined ? [] : [[texts.labels.device, device] as const]),
      [texts.labels.when, mailTime(language, at)],
    ],
  }
  return {
    language,
    subject,
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'paragraph', text: happened },
      facts,
      { kind: 'paragraph', text: texts.wasYou },
      { kind: 'paragraph', text: [texts.wasNotYou, ...(advice === undefined ? [] : [advice])].join(' ') },
      { kind: 'button', text: texts.notMe, url: secureUrl },
      { kind: 'paragraph', text: texts.days(SECURE_DAYS) },
    ],
    footer: texts.security,
  }
}

/** To an address that has an account: the page must not tell, so the mail does. */
export function knownAddressMail({ language, dashboardOrigin }: InLanguage & { dashboardOrigin: string }): Mail {
  const { knownAddress: texts, ignore, entered } = accountTexts[language]
  return {
    language,
    subject: texts.subject,
    blocks: [
      { kind: 'heading', text: texts.subject },
      { kind: 'paragraph', text: texts.text },
      { kind: 'button', text: texts.button, url: `${dashboardOrigin}/sign-in` },
      { kind: 'paragraph', text: texts.forgotten(`${dashboardOrigin}/recovery`) },
      { kind: 'paragraph', text: ignore },
    ],
    footer: entered,
  }
}

type LinkFacts = InLanguage & { url: string; minutes: number }

/** A mail whose link proves the mailbox, once and for some minutes. */
function linkMail(kind: 'recovery' | 'signInLink') {
  return ({ language, url, minutes }: LinkFacts): Mail => {
    const { [kind]: texts, ignore, entered } = accountTexts[language]
    return {
      language,
      subject: texts.subject,
      blocks: [
        { kind: 'heading', text: texts.subject },
        { kind: 'paragraph', text: texts.text },
        { kind: 'button', text: texts.button, url },
        { kind: 'paragraph', text: texts.validity(minutes) },
        { kind: 'paragraph', text: ignore },
      ],
      footer: entered,
    }
  }
}
