// The texts of the mails about an account, in the languages that a person can choose.

import type { Language } from '@petstore-platform/contract/platform/site'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { AccountTexts } from './texts.ts'

export const accountTexts: Readonly<Record<Language, AccountTexts>> = { en, de, fr, es }
