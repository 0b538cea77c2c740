// What tests, and roles that share a process, put in the place of parts of a role. Each role takes what is its own.

import type { ChargeStore } from '../accounts/sign-in/attempts.io.ts'
import type { Passwords } from '../accounts/sign-in/password.io.ts'
import type { Allowances } from '../accounts/sign-in/sign-in-limits.ts'
import type { Context } from '../foundation/context.ts'
import type { ReaderRules } from '../foundation/http/read-pace.io.ts'
import type { ServerSettings } from '../foundation/http/server-settings.io.ts'
import type { AdmissionRules } from '../foundation/load/admission.ts'
import type { CountRates } from '../foundation/load/rate-directory.io.ts'
import type { FetchPhoto } from '../imports/photos.io.ts'
import type { OpenRowJudge } from '../imports/row-judge.ts'
import type { ReadSheet } from '../imports/spreadsheet/process.io.ts'
import type { PhotoProcessor } from '../photos/processing/photo-task.ts'
import type { Observe } from './domains.ts'

/** With a database, that of roles which share it: the caller that opened it closes it. */
export type Overrides = Partial<Context> & {
  logger?: ServerSettings['logger'] | undefined
  /** Observes hostnames by other means than DNS. */
  observe?: Observe | undefined
  referenceAssets?: string
  dashboardAssets?: string
  /** Fetches photos that a file names under other rules. */
  fetchPhoto?: FetchPhoto
  /** Reads spreadsheets without a process of their own. */
  readSheet?: ReadSheet
  /** Judges rows of imports without a process of their own. */
  openRowJudge?: OpenRowJudge
  /** Processes photos by other means. */
  photoProcessor?: PhotoProcessor

  /** How long workers wait when nothing is due. */
  pauseMs?: number
  /** Shorter only in tests of workers that are killed. */
  mailClaimSeconds?: number
  /** Others than the usual ones: in negative controls, and in tests that a slow machine must not reject. */
  admission?: Partial<AdmissionRules> | undefined
  /** Others only in tests of visitors who read slowly. */
  readers?: Partial<ReaderRules> | undefined
  /** False only in tests of lost notifications. */
  isListening?: boolean

  // Only negative controls set these: each shows that a claim about its part is really checked.
  keyHeldMs?: number
  passwords?: Passwords
  attempts?: { store?: ChargeStore; allowances?: Allowances }
  sharesQuotas?: boolean
  sharesFeeds?: boolean
  photoConfirmMs?: number
  countRates?: CountRates
}
