import fc from 'fast-check'
import { expect, test } from 'vitest'
import { certificateId, certificateIdOf } from './certificate-id.ts'

// RFC 9773, appendix A.
const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`

test('the certificate of the RFC has the id of the RFC, even at the start of a chain', () => {
  const id = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE'
  expect(certificateIdOf(example)).toBe(id)
  expect(certificateIdOf(`${example}${example}`)).toBe(id)
})

test.each([
  ['87654321', 'AIdlQyE'],
  ['0087654321', 'AIdlQyE'],
  ['7654321', 'B2VDIQ'],
  ['17654321', 'F2VDIQ'],
  ['80', 'AIA'],
  ['7f', 'fw'],
  ['0', 'AA'],
])('the serial number %s is encoded as %s', (serial, expected) => {
  expect(certificateId('69', serial).split('.')[1]).toBe(expected)
})

test('a serial number decodes to the same number, and never to a negative one', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 159n), (number) => {
      const bytes = Buffer.from(certificateId('69', number.toString(16)).split('.')[1] ?? '', 'base64url')
      expect(BigInt(`0x${bytes.toString('hex')}`)).toBe(number)
      expect(bytes[0]).toBeLessThan(128)
    }),
  )
})

test.each(['', 'nothing', example.slice(0, 200), example.replace('MIIB', 'AAAA')])(
  'a text without a certificate has no id',
  (text) => {
    expect(certificateIdOf(text)).toBeNull()
  },
)
