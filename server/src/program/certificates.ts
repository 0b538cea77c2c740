// What ordering certificates needs beyond the context: authorities, our share of their rate limits, and the check before
// every order. Without keys nothing is ordered.

import { CERTIFICATE_DUE } from '../certificates/advance.io.ts'
import { defaultAllowance, type Allowance } from '../certificates/budget.ts'
import { CHALLENGE_RECORD_DUE } from '../certificates/challenges.io.ts'
import {
  certificateWork,
  challengeRecordWork,
  type CertificateDeps,
  type ChallengeRecords,
} from '../certificates/jobs.io.ts'
import type { CertificatesConfig } from '../certificates/settings.ts'
import { selfCheckAt } from '../domains/observing/self-check.io.ts'
import { openAcme } from '../foundation/acme/client.io.ts'
import { openDnsUpdates, missingTxt, type ChangeTxt } from '../foundation/dns/update.io.ts'
import type { TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { openHook } from '../platform-names/challenge-hook.io.ts'
import type { Config } from './config.ts'
import type { ProgramContext } from './context.ts'

/** A step makes at most three calls, which together must not outlast a worker's claim. */
const CALL_MS = 9000
/** The share of an authority's rate limits that is used: the rest allows for its own way of counting. */
const SHARE = 0.8

/** Undefined if no certificates are ordered here. */
export function certificateDepsOf(
  context: Pick<ProgramContext, 'config' | 'database' | 'dns' | 'keys' | 'now' | 'newId' | 'randomBytes'>,
  onStep?: CertificateDeps['onStep'],
): CertificateDeps | undefined {
  const { config, keys } = context
  const { certificates } = config
  if (!certificates || !keys) return undefined
  const checking = selfCheckDepsOf(context)
  return {
    ...context,
    keys,
    allowance: allowanceOf(certificates),
    openAcme: opener(certificates),
    selfCheck: (...request) => selfCheckAt(checking, ...request),
    challengeRecords: challengeRecordsOf(context),
    isReserved: (hostname) => config.platformNames.services.includes(hostname),
    ...(onStep && { onStep }),
  }
}

/** The timers of certificates. */
export const certificateKinds = (deps: CertificateDeps): Readonly<Record<string, TimerWork>> => ({
  [CERTIFICATE_DUE]: certificateWork(deps),
  [CHALLENGE_RECORD_DUE]: challengeRecordWork(deps),
})

/** Changes a record of the zone of the platform host; undefined if it cannot be changed here. */
export function changeTxtOf({ platformNames: { dnsUpdate } }: Pick<Config, 'platformNames'>): ChangeTxt | undefined {
  if (dnsUpdate === undefined) return undefined
  return dnsUpdate.kind === 'hook' ? openHook(dnsUpdate.path) : openDnsUpdates(dnsUpdate)
}

function challengeRecordsOf({ config, dns }: Pick<ProgramContext, 'config' | 'dns'>): ChallengeRecords | undefined {
  const change = changeTxtOf(config)
  if (change === undefined) return undefined
  return {
    present: (name, value) => change('add', name, value),
    remove: (name, value) => change('remove', name, value),
    missing: (name, value) => missingTxt(dns, name, value),
  }
}

const selfCheckDepsOf = ({ config, dns }: Pick<ProgramContext, 'config' | 'dns'>) => ({
  dns,
  port: config.domains.probePort,
  allowedNetworks: config.domains.testNetworks,
  ownAddresses: config.domains.edgeAddresses,
})

export const allowanceOf = ({ ordersPerThreeHours }: CertificatesConfig): Allowance => {
  const perWindow = Math.max(1, Math.floor(SHARE * ordersPerThreeHours))
  return { ...defaultAllowance, perWindow, forRenewals: Math.floor(perWindow / 2) }
}

export const opener =
  ({ directories, contact, testRoots }: CertificatesConfig): CertificateDeps['openAcme'] =>
  (authority, { keyPem: accountKeyPem, url: accountUrl }) => {
    const directoryUrl = directories.get(authority)
    if (directoryUrl === undefined) return undefined
    return openAcme({
      authority,
      directoryUrl,
      accountKeyPem,
      accountUrl,
      contact: contact === undefined ? null : `mailto:${contact}`,
      timeoutMs: CALL_MS,
      ...(testRoots !== undefined && { ca: testRoots }),
    })
  }
