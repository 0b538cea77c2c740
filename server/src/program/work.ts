// `startWork` is the composition root of background work: timers that are due, processed by any
// number of workers. Each kind belongs to a feature; here they are listed by hand, and each has
// places of its own: what waits for other people's servers, such as domain checks and photos that
// an import names, never delays a deployment.

import { availableParallelism } from 'node:os'
import { certificateDepsOf, certificateKinds, scheduleSweeps } from './certificate-deps.ts'
import type { Config } from './config.ts'
import { openDatabaseOf } from './database.ts'
import { deployWork } from '../sites/publishing/jobs.io.ts'
import { domainDepsOf, photoFetcherOf, type Observe } from './domain-deps.ts'
import { domainWork, shareSweepWork } from '../domains/jobs.io.ts'
import { fleetSweepWork } from '../fleet/jobs.io.ts'
import { isReady } from '../foundation/http/health-routes.ts'
import { newId } from '../foundation/ids.io.ts'
import { runTimers, type Worker } from '../foundation/postgres/timers.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import { startMail } from './mail-deps.ts'
import { mailSweepWork } from '../mail/jobs.io.ts'
import { mailQueue, type QueueMail } from '../mail/queue.io.ts'
import * as animalRequests from '../orders/animal-requests-queries.ts'
import { confirmationWork } from '../orders/confirmation.io.ts'
import { erasureWork } from '../orders/erasure.io.ts'
import { orderWork } from '../orders/jobs.io.ts'
import { setStatusesByOwner } from '../orders/status-by-hand.io.ts'
import { checkStore, openObjects } from '../photos/store/open-objects.io.ts'
import type { PhotoProcessor } from '../photos/processing/photo-result.ts'
import { createPhotoProcessor } from '../photos/processing/process-photo.io.ts'
import { roomOf } from '../photos/room.io.ts'
import { uploadSlots } from '../photos/upload-slots.io.ts'
import type { SetStatuses } from '../animals/animal-requests.ts'
import { importPhotoWork, type PhotoFetchDeps } from '../imports/photos.io.ts'
import { importWork } from '../imports/jobs.io.ts'
import { photoWork } from '../photos/photo-jobs.io.ts'
import { openRowJudge } from '../imports/judge-process.io.ts'
import type { OpenRowJudge } from '../imports/row-judge.ts'
import { readSheet, type ReadSheet } from '../imports/spreadsheet/process.io.ts'
import { planRulesOf } from '../plans/limits.ts'
import { upkeepWork } from '../plans/upkeep.io.ts'
import { platformNameDepsOf, platformSettingsOf } from './platform-name-deps.ts'
import { sitePublished } from '../platform-names/advance.io.ts'
import { platformNameKinds, scheduleNames } from '../platform-names/jobs.io.ts'
import { photoRemovalWork, photoSweepWork } from '../photos/photo-sweep.io.ts'
import { invitationSweepWork } from '../projects/jobs.io.ts'
import { inProjectOf, type InProject } from '../projects/scope.io.ts'
import { checkSite } from '../sites/pages/check.ts'

/** Dependencies of all background work. */
export type WorkDeps = {
  database: Database
  inProject: InProject
  now: Clock
  /** Undefined if this installation sends no mail. */
  queueMail: QueueMail | undefined
}

export type RunningWork = { isReady(): Promise<boolean>; stop(): Promise<void> }

export type WorkOptions = {
  now?: Clock
  onError?: (error: Error) => void
  pauseMs?: number
  /** Observes hostnames by other means than DNS. */
  observe?: Observe
  /** Fetches photos that a file names under other rules. */
  fetchPhoto?: PhotoFetchDeps['fetchPhoto']
  /** Reads spreadsheets without a process of their own. */
  readSheet?: ReadSheet
  /** Judges rows of imports without a process of their own. */
  openRowJudge?: OpenRowJudge
  /** Processes photos by other means. */
  photoProcessor?: PhotoProcessor
  /** Shorter only in tests of workers that are killed. */
  mailClaimSeconds?: number
  /** Shared with other roles of this process, which closes it. */
  database?: Database
}

/** A photo needs a core of its own, and a host has other things to do. */
const MEDIA_PROCESSES_MAX = 2

/** Those of one import; more than it ever fetches at once. */
const FETCHED_AT_ONCE = 64

/** Of each kind. More than the projects of one account on the plan `free`, each of which holds one at most. */
const AT_ONCE = 6

const PAUSE_MS = 250
/** A domain goes live in several consecutive steps, and a user may be watching. */
const WATCHED_PAUSE_MS = 100

/** Most of a check is waiting, and the database is queried only at its beginning and its end. */
const CHECKS_AT_ONCE = 32

/** Most of an order is waiting too, for the authority. */
const ORDERS_AT_ONCE = 16

/** Of animals, in a transaction that is open already. */
const statusesIn =
  ({ queueMail }: Pick<WorkDeps, 'queueMail'>): SetStatuses =>
  (db, by, pets, status) =>
    setStatusesByOwner({ inProject: (_, work) => work(db), queueMail }, by, pets, status)

export async function startWork(config: Config, options: WorkOptions = {}): Promise<RunningWork> {
  const { now = Date.now, onError = () => {}, observe } = options
  const database = options.database ?? (await openDatabaseOf(config, 'work', onError))
  const pauseMs = options.pauseMs ?? WATCHED_PAUSE_MS
  const mediaProcesses = config.mediaProcesses ?? Math.min(MEDIA_PROCESSES_MAX, availableParallelism())
  const deps: WorkDeps = { database, inProject: inProjectOf(database), now, queueMail: config.mail && mailQueue(newId) }
  const plans = planRulesOf(config.limitTable)
  const storing = { ...deps, objects: openObjects(config, deps.inProject), onError }
  void checkStore(config, onError)
  const worker: Worker = runTimers({
    run: database.run,
    kinds: {
      order_expiry: orderWork(deps),
      request_confirmation: confirmationWork(deps),
      visitor_erasure: erasureWork({ ...deps, visitorDataDays: config.limits.visitorDataDays }),
      import: importWork({
        ...deps,
        plans,
        reviewing: {
          requests: animalRequests,
          setStatuses: statusesIn(deps),
          readSheet: options.readSheet ?? readSheet,
          openRowJudge: options.openRowJudge ?? openRowJudge,
        },
      }),
      import_photos: importPhotoWork({
        ...storing,
        newId,
        plans,
        room: roomOf({ run: database.run, bytesMax: config.mediaBytesMax, now }),
        slots: uploadSlots(FETCHED_AT_ONCE),
        fetchPhoto: options.fetchPhoto ?? photoFetcherOf(config),
      }),
      photo_removal: photoRemovalWork(storing),
      photo_sweep: photoSweepWork(storing),
      deployment: deployWork({ ...deps, check: checkSite, onPublished: sitePublished(platformSettingsOf(config)) }),
      fleet_sweep: fleetSweepWork(deps),
      share_sweep: shareSweepWork(deps),
      mail_sweep: mailSweepWork(deps),
      invitation_sweep: invitationSweepWork(deps),
      project_upkeep: upkeepWork({ ...deps, plans, onError }),
    },
    atOnce: AT_ONCE,
    perProject: 1,
    pauseMs: options.pauseMs ?? PAUSE_MS,
    onError,
  })
  const domainWorker: Worker = runTimers({
    run: database.run,
    kinds: { domain: domainWork(domainDepsOf(config, database, { now, observe })) },
    atOnce: CHECKS_AT_ONCE,
    pauseMs,
    onError,
  })
  const processor = options.photoProcessor ?? createPhotoProcessor({ processes: mediaProcesses })
  const photoWorker: Worker = runTimers({
    run: database.run,
    kinds: { photo: photoWork({ ...storing, plans, processor }) },
    atOnce: mediaProcesses,
    pauseMs,
    onError,
  })
  const ordering = certificateDepsOf(config, database, { now })
  const mailWorker = startMail(config, database, { pauseMs, onError, claimSeconds: options.mailClaimSeconds })
  await scheduleSweeps(database.run)
  const naming = platformNameDepsOf(config, database, { now, onError })
  if (naming) await scheduleNames(database.run, naming.settings)
  const kinds = { ...(ordering && certificateKinds(ordering)), ...(naming && platformNameKinds(naming)) }
  const certificateWorker =
    ordering && runTimers({ run: database.run, kinds, atOnce: ORDERS_AT_ONCE, pauseMs, onError })
  const workers = [worker, photoWorker, domainWorker, certificateWorker, mailWorker]
  return {
    isReady: () => isReady(database),
    async stop() {
      await Promise.all(workers.map(async (each) => each?.stop()))
      await processor.close()
      if (!options.database) await database.close()
    },
  }
}
