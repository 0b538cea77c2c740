// What the mails about an account say. Each language has every text; none of them can be forgotten.

import type { NoticeKind } from '../account-actions.ts'

export type NoticeText = { subject: string; happened: string; advice?: string }

export type AccountTexts = {
  notices: Readonly<Record<NoticeKind, NoticeText>>
  /** The subject where the device was recognised; its name is not translated. */
  newSignInOn: (device: string) => string
  labels: { name: string; device: string; when: string }
  wasYou: string
  wasNotYou: string
  notMe: string
  days: (days: number) => string
  hours: (hours: number) => string
  ignore: string
  /** Why the recipient gets it: it is about the security of the account, or the address was entered. */
  security: string
  entered: string
  signUp: { subject: string; text: string; button: string; known: (recoveryUrl: string) => string; ignore: string }
  knownAddress: { subject: string; text: string; button: string; forgotten: (recoveryUrl: string) => string }
  recovery: { subject: string; text: string; button: string; validity: (minutes: number) => string }
  signInLink: { subject: string; text: string; button: string; validity: (minutes: number) => string }
  emailChange: { subject: string; text: string; newSubject: string; newText: string; button: string }
  emailChanged: { subject: string; text: string; wasNotYou: string; button: string }
  accountDeleted: { subject: string; text: string; contact: string }
  signInsLimited: {
    subject: string
    text: string
    notGuessed: string
    advice: string
    button: string
  }
}
