// The values of labels. Together they bound how many series a process can have.

/** The kinds of background jobs: those that program/work.ts runs. */
export const jobKinds = [
  'certificate',
  'challenge_record',
  'deployment',
  'domain',
  'import',
  'import_photos',
  'mail',
  'mail_urgent',
  'measurement',
  'order_expiry',
  'photo',
  'photo_removal',
  'photo_sweep',
  'platform_name',
  'platform_names',
  'project_upkeep',
  'request_confirmation',
  'retention',
  'visitor_erasure',
] as const

export const labelValues = {
  api: ['v1', 'platform', 'web', 'site', 'control'],
  timedApi: ['v1', 'site'],
  status: ['2xx', '3xx', '4xx', '5xx'],
  reason: ['pool', 'server'],
  kind: jobKinds,
  outcome: ['success', 'failure'],
  queue: ['urgent', 'bulk'],
  edgeState: ['connected', 'disconnected'],
  role: ['serve', 'work', 'edge', 'start'],
} as const

/** What a program or its contract determines. */
export const openValues = {
  operation: 'the ids of the operations of both APIs, or nothing',
  version: 'the release that runs',
  commit: 'its commit',
} as const

export type ValuesName = keyof typeof labelValues | keyof typeof openValues
