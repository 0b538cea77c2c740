// A handshake that overtakes the background prefetch: both need the same certificate at the
// same time, and the control plane receives one request. Reads of the disk are held at a
// gate, so the order of events is the same in every run.

import { afterAll, expect, test } from 'vitest'
import { createCertificates } from '../../src/edge/certificate-cache.io.ts'
import { openCertificateFiles } from '../../src/edge/certificate-files.io.ts'
import { createHostTable } from '../../src/edge/host-table.ts'
import type { CertificateResponse } from '../../src/fleet/protocol.ts'
import { makeCertificate, makeFolder, siteOf } from './scripted-control.ts'

const HOST = 'shop.test'
const folder = await makeFolder()
afterAll(() => folder.remove())

/** A prefetch that has read the empty disk and has not continued yet. */
async function prefetchAtTheGate(certificate: CertificateResponse) {
  const table = createHostTable()
  const files = await openCertificateFiles(`${folder.directory}-${certificate.serial}`, folder.key)
  const [hasLooked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const asked: string[] = []
  const errors: Error[] = []
  const responses = new Map([[HOST, certificate]])
  const context = {
    now: Date.now,
    monotonic: () => performance.now(),
    onError: (error: Error) => void errors.push(error),
  }
  const certificates = createCertificates(context, {
    table,
    control: {
      certificate: async (hostname) => {
        const found = responses.get(hostname) ?? null
        asked.push(found?.serial ?? 'none')
        return found
      },
    },
    files: {
      ...files,
      async named(hostname) {
        const name = await files.named(hostname)
        hasLooked.resolve()
        await gate.promise
        return name
      },
    },
  })
  const change = (to: CertificateResponse) => {
    const route = { seq: table.seq + 1, hostname: HOST, ...siteOf(to) }
    responses.set(HOST, to)
    table.apply(route)
    certificates.changed(route)
  }
  change(certificate)
  await hasLooked.promise
  return { certificates, change, asked, errors, open: () => gate.resolve() }
}

test('a prefetch that read the disk while a handshake fetched the certificate sends no second request', async () => {
  const certificate = await makeCertificate(HOST, '1')
  const { certificates, asked, errors, open } = await prefetchAtTheGate(certificate)
  expect(await certificates.find(HOST, 10_000)).toBeInstanceOf(Buffer)
  expect(asked).toEqual([certificate.serial])
  open()
  // Settles when the prefetch has finished.
  await certificates.stop()
  expect(asked).toEqual([certificate.serial])
  expect(errors).toEqual([])
})

test('a prefetch that was not overtaken sends a request', async () => {
  const certificate = await makeCertificate(HOST, '1')
  const { certificates, asked, errors, open } = await prefetchAtTheGate(certificate)
  open()
  await certificates.stop()
  expect(asked).toEqual([certificate.serial])
  expect(errors).toEqual([])
})

test('a certificate that was renewed in the meantime is requested, whatever is cached', async () => {
  const [before, after] = [await makeCertificate(HOST, '1'), await makeCertificate(HOST, '1')]
  const { certificates, change, asked, errors, open } = await prefetchAtTheGate(before)
  await certificates.find(HOST, 10_000)
  change(after)
  open()
  await certificates.stop()
  expect(new Set(asked)).toEqual(new Set([before.serial, after.serial]))
  expect(String(await certificates.find(HOST, 10_000))).toContain(after.key.trimEnd())
  expect(errors).toEqual([])
})
