// `startWork` is the composition root of background work: timers that are due, processed by any
// number of workers. Each kind belongs to a feature; here they are listed by hand, and each has
// places of its own: what waits for other people's servers, such as domain checks and photos that
// an import names, never delays a deployment.

import { availableParallelism } from 'node:os'
import type { SetStatuses } from '../animals/ports.ts'
import { domainWork } from '../domains/jobs.io.ts'
import { isReady } from '../foundation/http/health-routes.ts'
import { Slots } from '../foundation/load/slots.io.ts'
import { runTimers, type Worker } from '../foundation/postgres/timer-leases.io.ts'
import { importWork } from '../imports/jobs.io.ts'
import { openRowJudge } from '../imports/judge-process.io.ts'
import { importPhotoWork } from '../imports/photos.io.ts'
import { readSheet } from '../imports/spreadsheet/process.io.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { confirmationWork } from '../orders/confirmation.io.ts'
import { erasureWork } from '../orders/erasure.io.ts'
import { orderWork } from '../orders/jobs.io.ts'
import * as animalRequests from '../orders/pet-status-queries.ts'
import { setStatusesByOwner } from '../orders/status-by-hand.io.ts'
import { SECOND } from '../foundation/time.ts'
import { writeTombstones } from '../operations/backup/tombstone-log.io.ts'
import { photoCapacity } from '../photos/photo-capacity.io.ts'
import { photoWork } from '../photos/photo-jobs.io.ts'
import { photoRemovalWork } from '../photos/photo-sweep.io.ts'
import { createPhotoProcessor } from '../photos/processing/process-photo.io.ts'
import { measurementWork, scheduleMeasurement } from '../operations/metrics/installation.io.ts'
import { checkStore } from '../photos/store/open-objects.io.ts'
import { processLimits } from '../plans/limit-table.ts'
import { scheduleRetention } from '../plans/retention.io.ts'
import { unlessHeld } from '../projects/legal-hold.io.ts'
import { sitePublished } from '../platform-names/advance.io.ts'
import { platformNameKinds, scheduleNames } from '../platform-names/jobs.io.ts'
import { checkSite } from '../sites/pages/check.ts'
import { deployWork } from '../sites/publishing/jobs.io.ts'
import { certificateDepsOf, certificateKinds } from './certificates.ts'
import type { Config } from './config.ts'
import { contextOf } from './context.ts'
import { openDatabaseOf } from './database.ts'
import { domainDepsOf, photoFetcherOf } from './domains.ts'
import type { MailKindName } from './mail-kinds.ts'
import { startMail } from './mail.ts'
import type { Overrides } from './overrides.ts'
import { platformNameDepsOf, platformSettingsOf } from './platform-names.ts'
import { installationWork, projectWork, startSchedule } from './schedule.ts'

export type RunningWork = { isReady(): Promise<boolean>; stop(): Promise<void> }

/** A photo needs a core of its own, and a host has other things to do. */
const MEDIA_PROCESSES_MAX = 2

const PAUSE_MS = 250
/** A domain goes live in several consecutive steps, and a user may be watching. */
const WATCHED_PAUSE_MS = 100

/** Of animals, in a transaction that is open already. */
const statusesIn =
  (queueMail: QueueMail<MailKindName> | undefined): SetStatuses =>
  (db, by, pets, status) =>
    setStatusesByOwner({ inProject: (_, work) => work(db), queueMail }, by, pets, status)

export async function startWork(config: Config, overrides: Overrides = {}): Promise<RunningWork> {
  const database = overrides.database ?? (await openDatabaseOf(config, 'work', overrides.onError ?? (() => {})))
  const context = contextOf(config, database, overrides)
  const { now, onError, queueMail } = context
  const pauseMs = overrides.pauseMs ?? WATCHED_PAUSE_MS
  const mediaProcesses = config.mediaProcesses ?? Math.min(MEDIA_PROCESSES_MAX, availableParallelism())
  void checkStore(config, onError)
  const worker: Worker = runTimers({
    run: database.run,
    kinds: {
      order_expiry: orderWork(context),
      request_confirmation: unlessHeld(context, confirmationWork(context)),
      visitor_erasure: unlessHeld(context, erasureWork(context, config.limits.visitorDataDays)),
      import: importWork(context, {
        requests: animalRequests,
        setStatuses: statusesIn(queueMail),
        readSheet: overrides.readSheet ?? readSheet,
        openRowJudge: overrides.openRowJudge ?? openRowJudge,
      }),
      import_photos: importPhotoWork({
        ...context,
        capacity: photoCapacity({ run: database.run, bytesMax: config.mediaBytesMax, now }),
        slots: new Slots(processLimits.photosFetched.most),
        fetchPhoto: overrides.fetchPhoto ?? photoFetcherOf(context),
      }),
      photo_removal: unlessHeld(context, photoRemovalWork(context)),
      deployment: deployWork({ ...context, check: checkSite, onPublished: sitePublished(platformSettingsOf(config)) }),
      measurement: measurementWork(context, config.databaseBytesMax),
      ...installationWork(context),
      ...projectWork(context),
    },
    atOnce: processLimits.jobsOfKind.most,
    perProject: 1,
    pauseMs: overrides.pauseMs ?? PAUSE_MS,
    onError,
  })
  const domainWorker: Worker = runTimers({
    run: database.run,
    kinds: { domain: domainWork(domainDepsOf(context, overrides.observe)) },
    atOnce: processLimits.domainChecks.most,
    pauseMs,
    onError,
  })
  const processor = overrides.photoProcessor ?? createPhotoProcessor({ processes: mediaProcesses })
  const photoWorker: Worker = runTimers({
    run: database.run,
    kinds: { photo: photoWork(context, processor) },
    atOnce: mediaProcesses,
    pauseMs,
    onError,
  })
  const ordering = certificateDepsOf(context)
  const mailWorker = startMail(config, database, { pauseMs, onError, claimSeconds: overrides.mailClaimSeconds })
  await scheduleRetention(database.run)
  await scheduleMeasurement(database.run)
  const naming = platformNameDepsOf(context)
  if (naming) await scheduleNames(database.run, naming.settings)
  const kinds = { ...(ordering && certificateKinds(ordering)), ...(naming && platformNameKinds(naming)) }
  const certificateWorker =
    ordering && runTimers({ run: database.run, kinds, atOnce: processLimits.certificateOrders.most, pauseMs, onError })
  const { tombstones: folder } = config.backup
  const write = folder === undefined ? undefined : () => writeTombstones(database, folder, now())
  const endSchedule = startSchedule(write ? [{ everyMs: SECOND, run: write }] : [], onError)
  const workers = [worker, photoWorker, domainWorker, certificateWorker, mailWorker]
  return {
    isReady: () => isReady(database),
    async stop() {
      endSchedule()
      await Promise.all(workers.map(async (each) => each?.stop()))
      await processor.close()
      if (!overrides.database) await database.close()
    },
  }
}
