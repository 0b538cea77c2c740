// `createCertificateFetch` fetches certificates from the control plane for an edge, once for all
// callers that wait for the same one. A certificate is checked as if it came from an untrusted
// source, and accepted only if its name is still in the table under the same generation; then it
// is remembered, and written to the disk in the background.

import { checkLeaf } from '../foundation/acme/leaf.io.ts'
import type { Context } from '../foundation/context.ts'
import type { CertificateResponse } from '../fleet/protocol.ts'
import { isWildcardName } from '../fleet/table-name.ts'
import type { ControlClient } from './control-client.io.ts'
import type { CertificateFiles, KeptCertificate } from './certificate-files.io.ts'
import type { CertificateMemory } from './certificate-memory.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import type { Attached, HostTable } from './host-table.ts'

export type CertificateFetch = {
  /** Undefined if the control plane has none, or if it may no longer be served. */
  fetch(route: Attached, deadlineMs: number): Promise<KeptCertificate | undefined>
  settled(): Promise<unknown>
}

/** `behind` takes over work that the caller does not wait for. */
export function createCertificateFetch(
  { now }: Pick<Context, 'now'>,
  {
    table,
    control,
    memory,
    files,
  }: {
    table: Pick<HostTable, 'find'>
    control: Pick<ControlClient, 'certificate'>
    memory: CertificateMemory
    files: Pick<CertificateFiles, 'write' | 'remove'>
  },
  behind: (work: Promise<void>) => void,
): CertificateFetch {
  const calls = createSharedCalls()

  const write = async (certificate: KeptCertificate) => {
    const { hostname, generation } = certificate
    await files.write(certificate)
    // Removed from the table while it was written: then the file is removed after all.
    if (table.find(hostname)?.generation !== generation) await files.remove(hostname)
  }
  const take = (certificate: KeptCertificate): KeptCertificate | undefined => {
    const route = table.find(certificate.hostname)
    // Removed or of another generation by now: it may not be served.
    if (route?.generation !== certificate.generation) return undefined
    const before = memory.find(route)
    if (before && certificate.serial !== route.serial) return before
    memory.put(certificate)
    behind(write(certificate))
    return certificate
  }
  return {
    fetch: (route, deadlineMs) =>
      calls.joined(callOf(route), async () => {
        // It may have arrived while the disk was read.
        const here = memory.find(route)
        if (here?.serial === route.serial) return here
        const response = await control.certificate(route.hostname, route.generation, deadlineMs)
        return response ? take(checked(response, now())) : undefined
      }),
    settled: () => calls.settled(),
  }
}

/** Callers share work for one generation of a name only. */
export const callOf = ({ hostname, generation }: Attached) => `${hostname} ${generation}`

function checked({ hostname, generation, serial, chain, key }: CertificateResponse, at: number): KeptCertificate {
  // That of all default addresses may be the operator's own.
  const isForeign = isWildcardName(hostname)
  const verdict = checkLeaf({ chainPem: chain, hostname, keyPem: key, now: at, replacesNotAfter: null, isForeign })
  if (!verdict.ok) throw new Error(`The control plane's certificate for ${hostname} is not fit: ${verdict.reason}`)
  if (verdict.leaf.serial !== serial)
    throw new Error(`The control plane's certificate for ${hostname} has another serial.`)
  const { chainPem, notAfter } = verdict.leaf
  return { hostname, generation, serial, notAfter, bundle: Buffer.from(`${chainPem}${key.trimEnd()}\n`) }
}
