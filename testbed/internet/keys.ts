// One signing key for every signed zone of a test internet, new at each start. The digest in a
// DS record includes the zone's name, so every zone still has its own.

import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { wireName } from './packets.ts'
import type { Digests } from './zones.ts'

export type SigningKey = {
  pem: string
  privateKey: KeyObject
  /** The data of the DNSKEY record. */ data: Buffer
  tag: number
  digests: Digests
}

const algorithm = 13

export function makeSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  // 257: a zone key that signs keys as well; 3: always DNSSEC.
  const data = Buffer.concat([Buffer.from([1, 1, 3, algorithm]), point])
  const tag = keyTag(data)
  const digest = (zone: string): string => createHash('sha256').update(wireName(zone)).update(data).digest('hex')
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    privateKey,
    data,
    tag,
    digests: {
      good: (zone) => `${tag} ${algorithm} 2 ${digest(zone)}`,
      wrong: (zone) => `${tag} ${algorithm} 2 ${digest(`wrong.${zone}`)}`,
    },
  }
}

/** RFC 4034, appendix B. */
function keyTag(data: Buffer): number {
  let sum = 0
  for (const [index, byte] of data.entries()) sum += index % 2 === 0 ? byte << 8 : byte
  return (sum + (sum >> 16)) & 65_535
}
