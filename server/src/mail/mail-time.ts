// Times in mails: a mail is read anywhere, so each names its time zone. It is UTC, unless we know that of the reader.

import type { Language } from '@petstore-platform/contract/platform/site'

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' }

const formats = (options: Intl.DateTimeFormatOptions) =>
  Object.fromEntries(
    Object.entries(locales).map(([language, locale]) => [
      language,
      new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }),
    ]),
  ) as Readonly<Record<Language, Intl.DateTimeFormat>>

const named = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const
const times = formats({ dateStyle: 'long', timeStyle: 'short' })
const days = formats({ dateStyle: 'long' })
const dates = formats({ day: 'numeric', month: 'long' })

export const mailTime = (language: Language, at: Date, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat(locales[language], { ...named, timeZone }).format(at)

/** Where something takes place: the time there, as people say it, without a zone. */
export const mailLocalTime = (language: Language, local: Date): string => times[language].format(local)

export const mailDay = (language: Language, at: Date): string => days[language].format(at)

/** For a subject about a day that is near: without the year. */
export const mailDate = (language: Language, at: Date): string => dates[language].format(at)
